// Tests of files share a folder of their own, bytes, refusals, and a model with leaves of many kinds.
#pragma once

#include <etch/io/leaves.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace files {

using namespace etch;
namespace fs = std::filesystem;
using io::byte_string;
using io::byte_view;

/// A folder of the test's own, removed at its end.
struct folder {
  fs::path path;
  folder() {
    static int count = 0;
    path = fs::temp_directory_path() / ("etch_io_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    fs::create_directories(path);
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(std::string const& name) const { return (path / name).string(); }
  /// Names of all files, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& each : fs::directory_iterator(path)) all.push_back(each.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

inline byte_string bytes_of_text(std::string const& text) {
  byte_string bytes;
  io::append(bytes, text);
  return bytes;
}
inline std::string text_of(byte_view bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }
inline byte_string contents(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  return bytes_of_text(std::string(std::istreambuf_iterator<char>(in), {}));
}
inline void write(std::string const& file, byte_view bytes) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
inline byte_string part(byte_view bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}
/// `text` with its first `from` replaced.
inline std::string with(std::string text, std::string const& from, std::string const& to) {
  std::size_t const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The text of the refusal of `f`; empty if `f` goes through.
std::string refusal(auto f) {
  try {
    f();
  } catch (etch::exception const& e) {
    return e.what();
  }
  return {};
}
inline bool has(std::string const& text, std::string const& words) { return text.find(words) != std::string::npos; }

/// Two sheets of weights, one below the other.
template <class T>
struct layer {
  param<T, 2, 3> weight;
  param<T, 2> bias;
  ETCH_MEMBERS(layer, weight, bias)
};

struct nothing {
  constexpr auto operator()(auto x) const { return x; }
};

struct mixed {
  tensor<double, 3> d;
  std::array<layer<float>, 2> layers;
  tensor<int, 2, 2> i;
  tensor<bool, 3> b;
  std::uint8_t small;
  std::tuple<double, nothing, tensor<std::int16_t, 2, 1, 2>> others;
  Eigen::Matrix<float, 2, 3, Eigen::RowMajor> rows;
  ETCH_MEMBERS(mixed, d, layers, i, b, small, others, rows)
};

/// All entries of a model, one after the other.
template <class A>
byte_string memory_of(A const& model) {
  byte_string all;
  io::for_each_stored_leaf(model, io::leaves_in<A>(), [&](io::leaf const& l, std::byte const* from) {
    io::append(all, byte_view(from, l.bytes()));
  });
  return all;
}

/// Numbers that differ from entry to entry and need all digits; from another `seed` others.
template <class A>
A filled(int seed) {
  A model{};
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 1;
  argument<A>::visit(model, [&]<class T>(T* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      if constexpr (std::is_same_v<T, bool>) to[i] = (state >> 24) % 2 == 1;
      else if constexpr (std::is_floating_point_v<T>) to[i] = static_cast<T>(state) / T(3e6) - T(700);
      else to[i] = static_cast<T>(state >> 8);
    }
  });
  return model;
}

/// Checks that `load(bytes, model)` is refused with `words`, and that the model is as it was.
template <class A>
void check_refused(byte_view bytes, auto load, std::string const& words) {
  static A const before = filled<A>(77);
  A model = before;
  std::string const text = refusal([&] { load(bytes, model); });
  CAPTURE(text);
  CAPTURE(words);
  CHECK(text.find(": at byte ") != std::string::npos);
  CHECK(text.find(words) != std::string::npos);
  CHECK(memory_of(model) == memory_of(before));
}

/// Cuts `bytes` everywhere, lengthens them, and turns every bit of those before `end`: each must be refused without a
/// change of the model, or give just what was saved. Returns how many were refused.
template <class A>
int check_damage(byte_string const& bytes, std::size_t end, auto load) {
  A const before = filled<A>(78);
  A saved{};
  load(bytes, saved);
  byte_string const right = memory_of(saved), untouched = memory_of(before);
  int refused = 0;
  auto const check = [&](byte_string const& damaged, bool may_load) {
    A model = before;
    bool const is_refused = !refusal([&] { load(damaged, model); }).empty();
    refused += is_refused;
    if (!(memory_of(model) == (is_refused ? untouched : right)) || (!is_refused && !may_load))
      FAIL("a damaged file is half read");
  };
  for (std::size_t length = 0; length < bytes.size(); ++length) check(part(bytes, length), false);
  byte_string longer = bytes;
  for (int i = 0; i < 3; ++i) {
    longer.push_back(std::byte{static_cast<unsigned char>(i == 0 ? 0 : 32)});
    check(longer, false);
  }
  for (std::size_t at = 0; at < end; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      byte_string damaged = bytes;
      damaged[at] ^= std::byte{1} << bit;
      check(damaged, true);
    }
  return refused;
}

}  // namespace files
