// save_npz, load_npz: a model as an archive of .npy files, one for each leaf, as numpy.savez makes and numpy.load
// reads them. Needs zlib (link with -lz).
#pragma once

#include <etch/io/npy.hpp>
#include <etch/io/zip.hpp>

ETCH_NAMESPACE_BEGIN
namespace io {

namespace detail {

/// The entry that holds the hash of a program (`io/program_hash.hpp`).
inline leaf program_leaf() { return {"__program__", element::u64, shape{}, {}}; }

/// The largest .npy file of a leaf.
inline std::size_t most_npy_bytes(leaf const& l) { return npy_preamble + longest_npy_header + l.bytes(); }

/// The largest archive of these leaves: what surrounds entries, and what deflate may add to
/// bytes that do not become fewer.
inline std::size_t most_npz_bytes(std::vector<leaf> const& leaves) {
  std::size_t most = 1024;
  for (leaf const& l : leaves) most += most_npy_bytes(l) + most_npy_bytes(l) / 512 + 2 * l.name.size() + 1024;
  return most + 2 * longest_npy_header < most_zip_bytes ? most + 2 * longest_npy_header : most_zip_bytes;
}

/// The entry of an archive for each leaf. Packed ones are unpacked into `storage`.
inline std::vector<stored_leaf> find_npz(section const& s, std::vector<leaf> const& leaves,
                                         std::optional<std::uint64_t> program, std::vector<byte_string>& storage) {
  std::vector<stored_leaf> found(leaves.size());
  std::optional<std::uint64_t> stored_program;
  std::size_t program_at = 0;
  leaf const hash = program_leaf();
  for (zip_entry const& e : read_zip(s, leaves.size() + 1)) {
    std::size_t which = 0;
    while (which < leaves.size() && leaves[which].name + ".npy" != e.name) ++which;
    bool const is_hash = which == leaves.size() && e.name == hash.name + ".npy";
    if (which == leaves.size() && !is_hash) e.packed.refuse(0, "the model has no such member");
    if (is_hash ? stored_program.has_value() : !found[which].entries.empty())
      e.packed.refuse(0, "there are two entries of this name");
    leaf const& l = is_hash ? hash : leaves[which];
    if (e.size > most_npy_bytes(l))
      e.packed.refuse(0, "it has " + std::to_string(e.size) + " bytes, too many for its shape");
    section const contents = unpack(e, storage.emplace_back());
    stored_leaf const entry = find_npy(contents, l);
    if (is_hash)
      stored_program = section{entry.entries, {}}.number<std::uint64_t>(0),
      program_at = static_cast<std::size_t>(e.packed.offset - s.offset);
    else found[which] = entry;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (found[i].entries.empty()) s.refuse(s.size(), "the archive has no entry '" + leaves[i].name + ".npy'");
  check_program(program, stored_program, s, program_at);
  return found;
}

template <class A>
consteval bool fits_into_npz() {
  return sizeof(A) < most_zip_bytes / 2;
}

}  // namespace detail

/// A model as the bytes of an .npz archive: tensors, numbers, structs, arrays and tuples of those, whatever may
/// be an argument of a loss. Each leaf is an entry, stored and not deflated (weights hardly get smaller), with
/// the path of its members as its name: `hidden.weight`, `layers.0.weight`; a single tensor is `arr_0`.
/// `program` is kept as the entry `__program__`.
template <class A>
byte_string to_npz(A const& model, std::optional<std::uint64_t> program = {}) {
  static_assert(detail::fits_into_npz<A>(),
                "etch: an .npz archive holds less than 4 GiB, and this model may be larger; save it as .safetensors");
  std::vector<leaf> const leaves = leaves_in<A>();
  zip_writer archive;
  auto const add = [&](leaf const& l, byte_view entries) {
    archive.add(l.name + ".npy", detail::npy_header(l), entries);
  };
  for_each_stored_leaf(model, leaves, [&](leaf const& l, std::byte const* from) { add(l, {from, l.bytes()}); });
  if (program) add(detail::program_leaf(), std::as_bytes(std::span(&*program, 1)));
  return archive.finish();
}

/// Reads what `to_npz`, numpy.savez or numpy.savez_compressed made. Entries must be those of the model, neither more
/// nor fewer, each of its type and shape; with `program`, the archive must name the same one. Throws `etch::exception`,
/// which calls the bytes `name`, where they are anything else; the model is then as it was.
template <class A>
void from_npz(byte_view bytes, A& model, std::optional<std::uint64_t> program = {}, std::string const& name = "npz") {
  std::vector<leaf> const leaves = leaves_in<A>();
  std::vector<byte_string> storage;
  assign(model, leaves, detail::find_npz({bytes, name}, leaves, program, storage));
}

/// Replaces `file` by `to_npz(model, program)`, as a whole or not at all.
template <class A>
void save_npz(std::string const& file, A const& model, std::optional<std::uint64_t> program = {}) {
  replace_file(file, to_npz(model, program));
}

/// `from_npz` of a file.
template <class A>
void load_npz(std::string const& file, A& model, std::optional<std::uint64_t> program = {}) {
  from_npz(read_bytes(file, detail::most_npz_bytes(leaves_in<A>())), model, program, file);
}

}  // namespace io
ETCH_NAMESPACE_END
