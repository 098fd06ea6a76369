#include <etch/compile/leaf_text.hpp>

#include <etch/core/leaf_paths.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

struct no_parameters {};
template <class T>
struct layer {
  param<T, 2, 3> weight;
  std::array<param<T>, 2> offsets;
  no_parameters activation;
  ETCH_MEMBERS(layer, weight, offsets, activation)
};
template <class T>
struct model {
  std::tuple<layer<T>, param<T, 4>> body;
  layer<T> head;
  ETCH_MEMBERS(model, body, head)
};
using several = std::tuple<model<float>, Eigen::Matrix2d, int>;

constexpr auto names = etch::detail::frozen_texts<[] {
  sequence<char> all;
  etch::detail::append_leaf_texts<several>(all, "argument ", 12);
  return all;
}>();

static_assert(etch::detail::text_of(names, 0) == "argument 12[0].body[0].weight");
static_assert(etch::detail::text_of(names, 3) == "argument 12[0].body[1]");

TEST_CASE("texts of leaves are the paths that run-time code sees, in its order") {
  int leaf = 0;
  for_each_leaf_path<several>("argument 12", path_style::subscripts, [&]<class>(std::string const& path) {
    CHECK(etch::detail::text_of(names, leaf) == path);
    ++leaf;
  });
  CHECK(leaf == 9);
  int visited = 0;
  several value{};
  argument<several>::visit(value, [&](auto*, std::size_t) { ++visited; });
  CHECK(visited == leaf);
}

}  // namespace
