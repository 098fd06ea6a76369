#include <etch/core/tangent.hpp>
#include <etch/core/named_view.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class T>
struct circle {
  using tangent = param<T, 1>;
  T x = 1, y = 0;
  ETCH_MEMBERS(circle, x, y)
};
template <class T>
struct arm {
  std::array<circle<T>, 2> joints;
  param<T, 2> lengths;
  ETCH_MEMBERS(arm, joints, lengths)
};
template <class T>
struct flat {
  param<T, 2> lengths;
  ETCH_MEMBERS(flat, lengths)
};

using V = tensor<float, 1>;
static_assert(detail::curved<circle<float>> && !detail::curved<arm<float>> && !detail::curved<flat<float>>);
static_assert(detail::holds_curved<circle<float>>() && detail::holds_curved<arm<float>>());
static_assert(detail::holds_curved<std::tuple<int, arm<float>>>() && !detail::holds_curved<flat<float>>());
static_assert(!detail::holds_curved<tensor<float, 2>>() && !detail::holds_curved<std::array<float, 3>>());
static_assert(std::is_same_v<argument<circle<float>>::gradient, V>);
static_assert(std::is_same_v<argument<arm<float>>::gradient, std::tuple<std::array<V, 2>, tensor<float, 2>>>);
static_assert(std::is_same_v<argument<flat<float>>::gradient, flat<float>>);
static_assert(std::is_same_v<argument<std::tuple<arm<float>, float>>::gradient,
                             std::tuple<std::tuple<std::array<V, 2>, tensor<float, 2>>, float>>);

}  // namespace

TEST_CASE("which arguments have gradients along tangent vectors: see the constants above") {}
