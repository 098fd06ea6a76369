// golden: reads derivatives computed elsewhere (blocks "input|value|grad|... NAME DIMS", then one line of entries,
// first index fastest).
#pragma once

#include "laws/agree.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace golden {

using namespace etch;

struct file {
  std::map<std::string, run::numbers> input, value, grad;
  std::map<std::string, run::numbers> second;  ///< by kind: direction, hvp, hessian

  /// Empty, with a visible message, where the folder of golden files is absent.
  static file read(std::string const& name) {
    file f;
    char const* shared = std::getenv("ETCH_SHARED");
    std::ifstream in(std::string(shared != nullptr ? shared : "") + "/golden/" + name + ".txt");
    if (!in) {
      MESSAGE("skipped: no golden file " << name << " below $ETCH_SHARED");
      return f;
    }
    f.read_blocks(in);
    return f;
  }
  void read_blocks(std::istream& in) {
    for (std::string head, entries; std::getline(in, head) && std::getline(in, entries);) {
      std::istringstream words(head), figures(entries);
      std::string kind, key;
      words >> kind >> key;
      auto& block = kind == "input"   ? input[key]
                    : kind == "value" ? value[key]
                    : kind == "grad"  ? grad[key]
                                      : second[kind];
      for (double x = 0; figures >> x;) block.push_back(x);
    }
  }
  bool present() const { return !input.empty(); }
};

template <class A>
void assign(A& to, run::numbers const& from) {
  REQUIRE(to.size() == from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<typename A::value_type>(from[i]);
}

/// Each entry within `tolerance` of the largest magnitude in the expected block.
template <class A>
void compare(A const& got, run::numbers const& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  double scale = 0;
  for (double e : expected) scale = std::max(scale, std::abs(e));
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::abs(static_cast<double>(got[i]) - expected[i]) <= tolerance * scale);
}

template <class T>
inline constexpr double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-10;

}  // namespace golden
