// save_safetensors, load_safetensors: a model in the format of Python's library safetensors. Needs
// nlohmann-json. Format: Hugging Face, safetensors, README "Format": the header's length, a header in JSON,
// then all entries, the last index fastest.
#pragma once

#include <etch/io/leaves.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

ETCH_NAMESPACE_BEGIN
namespace io {

namespace detail {

/// The format's name of an element type.
inline std::string safetensors_type(element e) {
  constexpr char const* names[] = {"BOOL", "I8", "U8", "I16", "U16", "I32", "U32", "I64", "U64", "F32", "F64"};
  return names[static_cast<std::size_t>(e)];
}

/// The longest header of a model: as much as names need when every letter is escaped, and room for metadata.
inline std::size_t longest_safetensors_header(std::vector<leaf> const& leaves) {
  std::size_t longest = std::size_t{1} << 16;
  for (leaf const& l : leaves) longest += 6 * l.name.size() + 256;
  return longest;
}
inline std::size_t entry_bytes(std::vector<leaf> const& leaves) {
  std::size_t bytes = 0;
  for (leaf const& l : leaves) bytes += l.bytes();
  return bytes;
}

/// Bytes one by one for the parser, which copies its iterators; the position is kept outside.
struct counting_iterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char;

  section const* from = nullptr;
  std::size_t* at = nullptr;
  std::size_t end = 0;

  char operator*() const { return static_cast<char>(from->bytes[*at]); }
  counting_iterator& operator++() { return ++*at, *this; }
  friend bool operator==(counting_iterator const& a, counting_iterator const& b) {
    return a.remaining() == b.remaining();
  }
  friend bool operator!=(counting_iterator const& a, counting_iterator const& b) { return !(a == b); }

 private:
  std::size_t remaining() const { return at == nullptr ? 0 : end - *at; }
};

/// Takes in a header as the parser meets its parts. Nothing nests deeper than the format says,
/// so nothing here or there recurs.
class safetensors_header {
 public:
  struct tensor_header {
    std::string type;
    std::vector<std::uint64_t> extent, range;
    bool has_type = false, has_extent = false, has_range = false, exists = false;
    std::size_t at = 0;
  };
  std::vector<tensor_header> tensors;  // in the order of the leaves
  std::optional<std::uint64_t> program;
  std::size_t program_at = 8;

  safetensors_header(section const& s, std::vector<leaf> const& leaves, std::size_t const& at)
      : tensors(leaves.size()), s_(s), leaves_(leaves), at_(at) {}

  bool start_object(std::size_t) {
    if (depth_ == 2 || (depth_ == 1 && where_ == place::nowhere) || in_array_) wrong("an object");
    ++depth_;
    return true;
  }
  bool end_object() {
    if (depth_ == 2 && where_ == place::tensor)
      if (tensor_header const& t = tensors[which_]; !t.has_type || !t.has_extent || !t.has_range)
        refuse("tensor " + in_quotes(leaves_[which_].name) + " lacks dtype, shape or data_offsets");
    --depth_;
    where_ = place::nowhere;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ == 1) begin_member(name);
    else if (where_ == place::metadata) {
      if (std::find(metadata_.begin(), metadata_.end(), name) != metadata_.end())
        refuse("the metadata has the key " + in_quotes(name) + " twice");
      metadata_.push_back(name);
    } else {
      tensor_header& t = tensors[which_];
      bool* const seen = name == "dtype"          ? &t.has_type
                         : name == "shape"        ? &t.has_extent
                         : name == "data_offsets" ? &t.has_range
                                                  : nullptr;
      if (seen == nullptr)
        refuse("tensor " + in_quotes(leaves_[which_].name) + " has the unknown key " + in_quotes(name));
      if (*seen) refuse("tensor " + in_quotes(leaves_[which_].name) + " has the key " + in_quotes(name) + " twice");
      *seen = true;
    }
    key_ = name;
    return true;
  }
  bool start_array(std::size_t) {
    if (depth_ != 2 || where_ != place::tensor || in_array_ || key_ == "dtype") wrong("an array");
    return in_array_ = true;
  }
  bool end_array() {
    if (key_ == "data_offsets" && tensors[which_].range.size() != 2) refuse("data_offsets are not two numbers");
    in_array_ = false;
    return true;
  }
  bool number_unsigned(std::uint64_t n) {
    if (!in_array_) wrong("a number");
    std::vector<std::uint64_t>& to = key_ == "shape" ? tensors[which_].extent : tensors[which_].range;
    if (to.size() == max_rank) refuse(key_ + " has more than " + std::to_string(max_rank) + " numbers");
    to.push_back(n);
    return true;
  }
  bool string(std::string& text) {
    if (depth_ != 2 || in_array_ || (where_ == place::tensor && key_ != "dtype")) wrong("a string");
    if (where_ == place::tensor) tensors[which_].type = text;
    else if (key_ == "etch.program") read_program(text);
    return true;
  }
  bool null() { wrong("null"); }
  bool boolean(bool) { wrong("a boolean"); }
  bool number_integer(std::int64_t) { wrong("a negative number"); }
  bool number_float(double, std::string const&) { wrong("a fraction, or a number beyond 64 bits,"); }
  bool binary(std::vector<std::uint8_t>&) { wrong("binary data"); }
  bool parse_error(std::size_t, std::string const&, nlohmann::detail::exception const&) {
    refuse("the header is no JSON");
  }

 private:
  enum class place { nowhere, metadata, tensor };
  section const& s_;
  std::vector<leaf> const& leaves_;
  std::size_t const& at_;
  int depth_ = 0;
  bool in_array_ = false;
  place where_ = place::nowhere;
  std::size_t which_ = 0;
  bool has_metadata_ = false;
  std::string key_;
  std::vector<std::string> metadata_;

  [[noreturn]] void refuse(std::string const& reason) const { s_.refuse(at_, reason); }
  [[noreturn]] void wrong(char const* what) const {
    refuse(std::string("the header has ") + what + " in a wrong place");
  }

  void begin_member(std::string const& name) {
    if (name == "__metadata__") {
      if (has_metadata_) refuse("the header has the key '__metadata__' twice");
      has_metadata_ = true;
      where_ = place::metadata;
      return;
    }
    for (which_ = 0; which_ < leaves_.size() && leaves_[which_].name != name;) ++which_;
    if (which_ == leaves_.size()) refuse("the model has no member " + in_quotes(name));
    if (tensors[which_].exists) refuse("there are two tensors " + in_quotes(name));
    tensors[which_].exists = true;
    tensors[which_].at = at_;
    where_ = place::tensor;
  }
  void read_program(std::string const& text) {
    std::uint64_t hash = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (error != std::errc{} || hexadecimal(hash) != text)
      refuse("etch.program is " + in_quotes(text) + ", not 16 hexadecimal digits");
    program = hash;
    program_at = at_;
  }
};

/// The entry of a file for each leaf.
inline std::vector<stored_leaf> find_safetensors(section const& s, std::vector<leaf> const& leaves,
                                                 std::optional<std::uint64_t> program) {
  if (s.size() < 8) s.refuse(s.size(), "the file ends inside the length of the header");
  std::uint64_t const length = s.number<std::uint64_t>(0);
  std::size_t const longest = longest_safetensors_header(leaves);
  if (length > longest)
    s.refuse(0, "the header has " + std::to_string(length) + " bytes; for this model it may have " +
                    std::to_string(longest));
  auto const bytes = static_cast<std::size_t>(length);
  if (!s.holds(8, bytes)) s.refuse(s.size(), "the file ends inside the header");
  if (bytes == 0 || s.bytes[8] != std::byte{'{'}) s.refuse(8, "the header does not begin with {");
  // The parser would take a zero for the end.
  std::size_t const zero = s.text(8, bytes).find('\0');
  if (zero != std::string::npos) s.refuse(8 + zero, "the header is no JSON: it has a zero");

  std::size_t at = 8;
  safetensors_header header(s, leaves, at);
  nlohmann::json::sax_parse(counting_iterator{&s, &at, 8 + bytes}, counting_iterator{}, &header);
  check_program(program, header.program, s, header.program_at);

  std::size_t const entries = 8 + bytes, size = s.size() - entries;
  std::vector<stored_leaf> found;
  std::vector<std::array<std::uint64_t, 3>> ranges;  // begin, end, leaf
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    leaf const& l = leaves[i];
    safetensors_header::tensor_header const& t = header.tensors[i];
    std::string const name = "tensor " + in_quotes(l.name);
    if (!t.exists) s.refuse(8, "the header has no " + name);
    if (t.type != safetensors_type(l.type))
      s.refuse(t.at, name + " has the type " + in_quotes(t.type) + ", not '" + safetensors_type(l.type) + "'");
    bool same = t.extent.size() == static_cast<std::size_t>(l.extent.rank);
    std::string shape = "[";
    for (std::size_t axis = 0; axis < t.extent.size(); ++axis) {
      same = same && t.extent[axis] == static_cast<std::uint64_t>(l.extent.extent[axis]);
      shape += (axis > 0 ? ", " : "") + std::to_string(t.extent[axis]);
    }
    if (!same) s.refuse(t.at, name + " has the shape " + shape + "], not " + to_string(l.extent));
    std::uint64_t const begin = t.range[0], end = t.range[1];
    if (begin > end || end > size || end - begin != l.bytes())
      s.refuse(t.at, name + " lies from " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
                         std::to_string(size) + " bytes, but has " + std::to_string(l.bytes()));
    ranges.push_back({begin, end, i});
    std::size_t const where = entries + static_cast<std::size_t>(begin);
    refuse_strange_booleans(s, where, l);
    found.push_back({s.bytes.subspan(where, l.bytes()), last_index_fastest(l.extent)});
  }
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t covered = 0;
  for (auto const& [begin, end, i] : ranges) {
    if (begin != covered)
      s.refuse(header.tensors[i].at,
               "tensor " + in_quotes(leaves[i].name) + " does not begin where the one before it ends");
    covered = end;
  }
  if (covered != size) s.refuse(entries + static_cast<std::size_t>(covered), "the file goes on after its last tensor");
  return found;
}

}  // namespace detail

/// A model as the bytes of a .safetensors file. Tensors are called by the path of their members:
/// `hidden.weight`, `layers.0.weight`; a single one `arr_0`. Entry (i, j) is [i, j] in Python. `program` is
/// kept in the metadata as `etch.program`.
template <class A>
byte_string to_safetensors(A const& model, std::optional<std::uint64_t> program = {}) {
  std::vector<leaf> const leaves = leaves_in<A>();
  // Larger types come first, so that all are aligned; the header is text, padded for the same reason.
  std::vector<std::size_t> order(leaves.size()), offset(leaves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bytes_of(leaves[a].type) > bytes_of(leaves[b].type); });
  std::string header = "{";
  if (program) header += "\"__metadata__\":{\"etch.program\":\"" + hexadecimal(*program) + "\"}";
  std::size_t end = 0;
  for (std::size_t i : order) {
    leaf const& l = leaves[i];
    std::string shape = to_string(l.extent);
    shape.erase(std::remove(shape.begin(), shape.end(), ' '), shape.end());
    offset[i] = end;
    end += l.bytes();
    header += (header.size() > 1 ? "," : "") + nlohmann::json(l.name).dump() + ":{\"dtype\":\"" +
              detail::safetensors_type(l.type) + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
              std::to_string(offset[i]) + "," + std::to_string(end) + "]}";
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  byte_string bytes;
  append(bytes, std::uint64_t{header.size()});
  append(bytes, header);
  std::size_t const entries = bytes.size();
  bytes.resize(entries + end);
  std::size_t i = 0;
  for_each_stored_leaf(model, leaves, [&](leaf const& l, std::byte const* from) {
    detail::copy_entries(l, bytes.data() + entries + offset[i++], last_index_fastest(l.extent), from, l.step);
  });
  return bytes;
}

/// Reads what `to_safetensors` or Python's library made. Tensors must be those of the model, neither more nor fewer,
/// each of its type and shape, and cover the file without gaps; with `program`, the metadata must name the same one.
/// Throws `etch::exception`, which calls the bytes `name`, where they are anything else; the model is then as it was.
template <class A>
void from_safetensors(byte_view bytes, A& model, std::optional<std::uint64_t> program = {},
                      std::string const& name = "safetensors") {
  std::vector<leaf> const leaves = leaves_in<A>();
  assign(model, leaves, detail::find_safetensors({bytes, name}, leaves, program));
}

/// Replaces `file` by `to_safetensors(model, program)`, as a whole or not at all.
template <class A>
void save_safetensors(std::string const& file, A const& model, std::optional<std::uint64_t> program = {}) {
  replace_file(file, to_safetensors(model, program));
}

/// `from_safetensors` of a file.
template <class A>
void load_safetensors(std::string const& file, A& model, std::optional<std::uint64_t> program = {}) {
  std::vector<leaf> const leaves = leaves_in<A>();
  from_safetensors(read_bytes(file, 8 + detail::longest_safetensors_header(leaves) + detail::entry_bytes(leaves)),
                   model, program, file);
}

}  // namespace io
ETCH_NAMESPACE_END
