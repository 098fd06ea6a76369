#include <etch/core/leaf_paths.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

struct without_parameters {};

template <class T>
struct stage {
  std::tuple<param<T, 2>, without_parameters, std::array<T, 2>> parts;
  T scale;
  ETCH_MEMBERS(stage, parts, scale)
};

template <class A>
std::string paths(std::string const& begin, path_style style) {
  std::string text;
  for_each_leaf_path<A>(begin, style, [&]<class Leaf>(std::string const& path) {
    text += path + (std::is_same_v<Leaf, float> ? ":number " : ":tensor ");
  });
  return text;
}

}  // namespace

TEST_CASE("paths with subscripts or dots, from a begin or none") {
  CHECK(paths<stage<float>>("0", path_style::subscripts) ==
        "0.parts[0]:tensor 0.parts[2][0]:number 0.parts[2][1]:number 0.scale:number ");
  CHECK(paths<stage<float>>("", path_style::dots) == "parts.0:tensor parts.2.0:number parts.2.1:number scale:number ");
  CHECK(paths<std::array<float, 2>>("", path_style::dots) == "0:number 1:number ");
  CHECK(paths<float>("", path_style::dots) == ":number ");
  CHECK(paths<float>("3", path_style::subscripts) == "3:number ");
}

TEST_CASE("what has no parameters has no leaf") { CHECK(paths<without_parameters>("x", path_style::dots).empty()); }
