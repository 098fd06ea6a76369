#include <etch/io/npy.hpp>

#include "files.hpp"

namespace {

using namespace files;
using io::from_npy;
using io::to_npy;

constexpr auto load = [](byte_view bytes, auto& x) { from_npy(bytes, x); };

/// An .npy file with this dictionary, padded as numpy pads.
byte_string npy(std::string dictionary, byte_view entries, int version = 1) {
  std::string const preamble = "\x93NUMPY" + std::string(1, static_cast<char>(version)) + '\0';
  dictionary.resize(
      (preamble.size() + 4 + dictionary.size() + 1 + 63) / 64 * 64 - preamble.size() - (version == 1 ? 2 : 4) - 1, ' ');
  dictionary += '\n';
  byte_string bytes = bytes_of_text(preamble);
  if (version == 1) io::append(bytes, static_cast<std::uint16_t>(dictionary.size()));
  else io::append(bytes, static_cast<std::uint32_t>(dictionary.size()));
  io::append(bytes, dictionary);
  io::append(bytes, entries);
  return bytes;
}
byte_view entries_of(auto const& x) { return std::as_bytes(std::span(x.data(), x.size())); }

template <class T>
void check_every_rank() {
  CAPTURE(name_of(element_of<T>));
  auto const check = []<class A>(std::type_identity<A>) {
    A const x = filled<A>(1);
    A y{};
    from_npy(to_npy(x), y);
    CHECK(memory_of(x) == memory_of(y));
    CHECK(to_npy(x).size() % 64 == memory_of(x).size() % 64);
  };
  check(std::type_identity<T>{});
  check(std::type_identity<tensor<T>>{});
  check(std::type_identity<tensor<T, 5>>{});
  check(std::type_identity<tensor<T, 2, 3>>{});
  check(std::type_identity<tensor<T, 3, 1, 2>>{});
  check(std::type_identity<tensor<T, 2, 3, 2, 2>>{});
}

}  // namespace

TEST_CASE("npy: every scalar type and rank comes back") {
  [&]<class... T>(std::type_identity<std::tuple<T...>>) {
    (check_every_rank<T>(), ...);
  }(std::type_identity<std::tuple<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                  std::uint32_t, std::int64_t, std::uint64_t, float, double, char, long long>>{});
}

TEST_CASE("npy: the file is, byte for byte, that of numpy 1.24") {
  // numpy.save(f, numpy.asfortranarray([[1, 2, 3], [4, 5, 6]], dtype='<f4'))
  std::string numpys("\x93NUMPY\x01\x00v\x00", 10);
  numpys += "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  numpys.resize(127, ' ');
  numpys += '\n';
  for (char const* each : {"\x80\x3f", "\x80\x40", "\x00\x40", "\xa0\x40", "\x40\x40", "\xc0\x40"})
    numpys += std::string(2, '\0') + std::string(each, 2);
  tensor<float, 2, 3> const x{1, 4, 2, 5, 3, 6};
  CHECK(text_of(to_npy(x)) == numpys);
}

TEST_CASE("npy: entries in C's order, versions 2 and 3, another order of keys and other spaces") {
  tensor<int, 2, 3> const c_order{1, 2, 3, 4, 5, 6};
  for (int format : {1, 2, 3}) {
    tensor<int, 2, 3> x;
    from_npy(npy("{ \"shape\":(2,3) ,'fortran_order':False,'descr':\"<i4\"}", entries_of(c_order), format), x);
    CHECK(x == tensor<int, 2, 3>{1, 4, 2, 5, 3, 6});
  }
  tensor<std::int16_t, 2, 3, 2, 2> fast, slow;
  for (std::size_t i = 0; i < fast.size(); ++i) fast[i] = static_cast<std::int16_t>(i);
  from_npy(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3, 2, 2), }", entries_of(fast)), slow);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 2; ++c)
        for (int d = 0; d < 2; ++d) CHECK(slow(a, b, c, d) == ((a * 3 + b) * 2 + c) * 2 + d);
}

TEST_CASE("npy: Eigen's matrices, row by row or column by column, and maps") {
  Eigen::Matrix<float, 2, 3, Eigen::RowMajor> rows;
  rows << 1, 2, 3, 4, 5, 6;
  CHECK(has(text_of(to_npy(rows)), "'fortran_order': False, 'shape': (2, 3)"));
  Eigen::Matrix<float, 2, 3> columns;
  from_npy(to_npy(rows), columns);
  CHECK(columns == rows);
  Eigen::Matrix<float, 2, 3, Eigen::RowMajor> again;
  from_npy(to_npy(columns), again);
  CHECK(again == rows);
  float memory[6] = {};
  Eigen::Map<Eigen::Matrix<float, 2, 3>> map(memory);
  from_npy(to_npy(rows), map);
  CHECK(memory[1] == 4);
}

TEST_CASE("npy: a file cut anywhere, longer, or with any bit of its header turned is refused") {
  auto const x = filled<tensor<double, 2, 3>>(3);
  byte_string const bytes = to_npy(x);
  // Only entries could be changed without a fault: cuts, what follows, and every bit of the 128 bytes before them.
  CHECK(check_damage<tensor<double, 2, 3>>(bytes, 128, load) == static_cast<int>(bytes.size()) + 3 + 128 * 8);
}

TEST_CASE("npy: headers that say something else, or nothing") {
  using matrix = tensor<float, 2, 3>;
  byte_string const entries(24);
  auto const refused = [&](std::string const& header, std::string const& words) {
    check_refused<matrix>(npy(header, entries), load, words);
  };
  std::string const good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  matrix fine;
  from_npy(npy(good, entries), fine);
  refused(with(good, "<f4", ">f4"), "at byte 10: the type is '>f4', not '<f4'");
  refused(with(good, "<f4", "<f8"), "the type is '<f8', not '<f4'");
  refused(with(good, "<f4", "<i4"), "the type is '<i4', not '<f4'");
  refused(with(good, "'<f4'", "[('a', '<f4')]"), "something else where a string belongs");
  refused(with(good, "'<f4'", "'<f4"), "dictionary");
  refused(with(good, "(2, 3)", "(3, 2)"), "the shape is (3, 2), not (2, 3)");
  refused(with(good, "(2, 3)", "(6,)"), "the shape is (6,), not (2, 3)");
  refused(with(good, "(2, 3)", "()"), "the shape is (), not (2, 3)");
  refused(with(good, "(2, 3)", "(2, 3, 1)"), "the shape is (2, 3, 1), not (2, 3)");
  refused(with(good, "(2, 3)", "(2, 3, 1, 1, 1)"), "the shape has more than 4 axes");
  refused(with(good, "(2, 3)", "(2, -3)"), "the shape is no tuple of numbers");
  refused(with(good, "(2, 3)", "(2, 03)"), "the shape is no tuple of numbers");
  refused(with(good, "(2, 3)", "(2 3)"), "',' is missing");
  refused(with(good, "(2, 3)", "(6)"), "the shape is no tuple");
  refused(with(good, "(2, 3)", "(2, 3"), "the shape is no tuple of numbers");
  refused(with(good, "(2, 3)", "(2, 18446744073709551619)"), "the shape is no tuple of numbers");
  refused(with(good, "(2, 3)", "(2, 4294967299)"), "the shape is (2, 4294967299), not (2, 3)");
  refused(with(good, "False", "0"), "True or False");
  refused(with(good, "'fortran_order': False, ", ""), "lacks the key 'fortran_order'");
  refused(with(good, "}", "'shape': (2, 3)}"), "the key 'shape' twice");
  refused(with(good, "}", "'more': 1}"), "the unknown key 'more'");
  refused(with(good, "}", "} + 1"), "does not end in spaces and a new line");
  refused("", "'{' is missing");
  refused("{}", "lacks the key");
  refused(std::string(200, '{'), "a string belongs");
  refused("{'" + std::string(5000, 'a') + "': 1}", "the unknown key 'aaa");
  CHECK(refusal([&] { from_npy(npy("{'\x1b[31m': 1}", entries), fine); }).find('\x1b') == std::string::npos);
}

TEST_CASE("npy: claims of length are checked before they are believed") {
  using vector = tensor<float, 4>;
  byte_string const good = to_npy(vector{1, 2, 3, 4});
  byte_string claim = good;
  claim[8] = claim[9] = std::byte{0xff};
  check_refused<vector>(claim, load, "at byte 8: the header has 65535 bytes; it may have 1 to 10000");
  byte_string version2 = bytes_of_text(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
  check_refused<vector>(version2, load, "the header has 4294967295 bytes");
  check_refused<vector>(bytes_of_text(std::string("\x93NUMPY\x01\x00\x00\x00", 10)), load, "the header has 0 bytes");
  check_refused<vector>(bytes_of_text(std::string("\x93NUMPY\x04\x00\x10\x00", 10)), load, "the version is 4.0");
  check_refused<vector>(part(good, good.size() - 5), load, "ends inside the entries, 5 bytes too early");
}

TEST_CASE("npy: a boolean that is neither 0 nor 1 is refused where it stands") {
  byte_string bytes = to_npy(tensor<bool, 3>{true, false, true});
  bytes[bytes.size() - 2] = std::byte{2};
  check_refused<tensor<bool, 3>>(bytes, load, "at byte 129: a boolean is 2");
}

TEST_CASE("npy: files are saved and loaded; another file leaves the tensor as it is") {
  folder const here;
  tensor<double, 2, 2> const x{1, 2, 3, 4};
  tensor<double, 2, 2> y;
  io::save_npy(here / "x.npy", x);
  io::load_npy(here / "x.npy", y);
  CHECK(x == y);
  tensor<double, 4> z{5, 6, 7, 8};
  std::string const text = refusal([&] { io::load_npy(here / "x.npy", z); });
  CHECK(text == "etch: " + (here / "x.npy") + ": at byte 10: the shape is (2, 2), not (4,)");
  CHECK(z == tensor<double, 4>{5, 6, 7, 8});
  CHECK(has(refusal([&] { io::load_npy(here / "none.npy", z); }), "none.npy: at byte 0: the file cannot be opened: "));
  write(here / "long.npy", byte_string(200000));
  CHECK(has(refusal([&] { io::load_npy(here / "long.npy", z); }),
            "the file goes on, although it may have 10044 bytes at most"));
}
