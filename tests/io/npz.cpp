#include <etch/io/npz.hpp>

#include "archive.hpp"

namespace {

using namespace files;
using io::from_npz;
using io::to_npz;

constexpr auto load = [](byte_view bytes, auto& model) { from_npz(bytes, model); };

using small = layer<float>;
byte_string file_of(auto const& x) { return io::to_npy(x); }
/// The entries that `small` needs.
std::vector<archived> entries_of(small const& m) {
  return {{"weight.npy", file_of(m.weight)}, {"bias.npy", file_of(m.bias)}};
}

}  // namespace

TEST_CASE("npz: leaves are called by their members' paths") {
  std::string names;
  for (io::zip_entry const& e : io::read_zip({to_npz(filled<mixed>(1), 5), "npz"}, 20)) names += e.name + " ";
  CHECK(names ==
        "d.npy layers.0.weight.npy layers.0.bias.npy layers.1.weight.npy layers.1.bias.npy i.npy b.npy small.npy "
        "others.0.npy others.2.npy "
        "rows.npy __program__.npy ");
}

TEST_CASE("npz: models of every kind come back") {
  auto const check = []<class A>(std::type_identity<A>) {
    A const x = filled<A>(2);
    A y = filled<A>(3);
    REQUIRE(memory_of(x) != memory_of(y));
    from_npz(to_npz(x), y);
    CHECK(memory_of(x) == memory_of(y));
  };
  check(std::type_identity<mixed>{});
  check(std::type_identity<layer<double>>{});
  check(std::type_identity<float>{});
  check(std::type_identity<tensor<std::uint64_t, 2, 2, 2, 2>>{});
  check(std::type_identity<std::array<std::tuple<double, layer<float>>, 3>>{});
  check(std::type_identity<Eigen::Matrix<double, 3, 2, Eigen::RowMajor>>{});
  nothing none;
  from_npz(to_npz(none), none);
}

TEST_CASE("npz: entries may be packed, in another order, in C's order, with zip64 fields") {
  auto const m = filled<small>(4);
  for (int form = 0; form < 4; ++form) {
    std::vector<archived> entries = entries_of(m);
    for (archived& e : entries) e.deflated = form % 2 == 1, e.zip64 = form / 2 == 1;
    std::swap(entries[0], entries[1]);
    small x = filled<small>(5);
    from_npz(archive(entries), x);
    CHECK(memory_of(x) == memory_of(m));
  }
}

TEST_CASE("npz: an archive cut anywhere, longer, or with any bit turned is refused, or holds the same") {
  auto const m = filled<small>(6);
  byte_string const bytes = to_npz(m, 12345);
  // These may be anything: versions, dates, attributes.
  CHECK(check_damage<small>(bytes, bytes.size(), load) > static_cast<int>(bytes.size()) * 8);
  std::vector<archived> packed = entries_of(m);
  for (archived& e : packed) e.deflated = e.zip64 = true;
  byte_string const deflated = archive(packed);
  CHECK(check_damage<small>(deflated, deflated.size(), load) > static_cast<int>(deflated.size()) * 7);
}

TEST_CASE("npz: entries must be those of the model, each once, of its type and shape") {
  auto const m = filled<small>(7);
  auto const refused_with = [&](auto change, std::string const& words) {
    std::vector<archived> entries = entries_of(m);
    change(entries);
    check_refused<small>(archive(entries), load, words);
  };
  using list = std::vector<archived>;
  refused_with([](list& e) { e.pop_back(); }, "the archive has no entry 'bias.npy'");
  refused_with([](list& e) { e.push_back({"more.npy", file_of(1.0)}); },
               "entry 'more.npy': the model has no such member");
  refused_with([](list& e) { e.push_back(e[0]); }, "entry 'weight.npy': there are two entries of this name");
  refused_with([](list& e) { e[1].name = e[0].name; }, "entry 'weight.npy'");
  for (std::string const name : {"../weight.npy", "/weight.npy", "weight", "WEIGHT.npy", "weight.npy/", ""})
    refused_with([&](list& e) { e[0].name = name; }, "the model has no such member");
  refused_with([&](list& e) { e[0].name = std::string("weight.npy\0", 11); }, "the model has no such member");
  refused_with([&](list& e) { e[0].name = std::string(60000, 'w'); }, "'wwwwwwww");
  refused_with([&](list& e) { e[0].contents = file_of(m.bias); }, "entry 'weight.npy': the shape is (2,), not (2, 3)");
  refused_with([&](list& e) { e[0].contents = file_of(tensor<double, 2, 3>{}); },
               "entry 'weight.npy': the type is '<f8', not '<f4'");
  refused_with([&](list& e) { e[1].contents.push_back(std::byte{0}); }, "the file goes on after its last entry");
  refused_with([&](list& e) { e[1].contents.resize(20); }, "ends inside the header");
  refused_with([&](list& e) { e[1].contents.clear(); }, "ends inside the magic string");
  refused_with([](list& e) { e[1] = {"__program__.npy", file_of(std::uint64_t{1})}, e.push_back(e[1]); },
               "two entries of this name");
  refused_with([](list& e) { e.push_back({"__program__.npy", file_of(1.0)}); }, "the type is '<f8', not '<u8'");
}

TEST_CASE("npz: an entry that unpacks to more than its shape has room for is not unpacked") {
  auto const m = filled<small>(8);
  std::vector<archived> entries = entries_of(m);
  entries[0].contents.resize(std::size_t{1} << 24);
  entries[0].deflated = true;
  check_refused<small>(archive(entries), load, "it has 16777216 bytes, too many for its shape");
}

TEST_CASE("npz: the program's hash is compared when it is given") {
  auto const m = filled<small>(9);
  auto const with_hash = [](byte_view bytes, small& model) { from_npz(bytes, model, 0xabc); };
  small x{};
  from_npz(to_npz(m, 0xabc), x, 0xabc);
  CHECK(memory_of(x) == memory_of(m));
  from_npz(to_npz(m, 0xdef), x);
  check_refused<small>(to_npz(m, 0xdef), with_hash, "the file is of program 0000000000000def, not of 0000000000000abc");
  check_refused<small>(to_npz(m), with_hash,
                       "the file does not say of which program it is; 0000000000000abc is expected");
}

TEST_CASE("npz: files are saved and loaded, and longer ones not even read") {
  folder const here;
  auto const m = filled<mixed>(10);
  io::save_npz(here / "m.npz", m, 7);
  mixed x{};
  io::load_npz(here / "m.npz", x, 7);
  CHECK(memory_of(x) == memory_of(m));
  CHECK(has(refusal([&] { io::load_npz(here / "m.npz", x, 8); }), "m.npz: at byte "));
  write(here / "long.npz", byte_string(std::size_t{1} << 20));
  CHECK(has(refusal([&] { io::load_npz(here / "long.npz", x); }), "the file goes on, although it may have "));
}
