#include <etch/core/member_path.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;
using detail::part_named;
using detail::part_of;
using detail::part_type;
using detail::position_in;

template <class T>
struct inner {
  param<T, 2> weight, bias;
  ETCH_MEMBERS(inner, weight, bias)
};
template <class T>
struct outer {
  std::tuple<inner<T>, std::array<inner<T>, 12>> layers;
  param<T> scale;
  ETCH_MEMBERS(outer, layers, scale)
};

static_assert(std::is_same_v<part_type<outer<float>, "scale">, tensor<float>>);
static_assert(std::is_same_v<part_type<outer<float>, "layers.0">, inner<float>>);
static_assert(std::is_same_v<part_type<outer<float>, "layers.1.11.bias">, tensor<float, 2>>);
static_assert(part_named<outer<float>>("layers") == 0 && part_named<outer<float>>("scale") == 1 &&
              part_named<outer<float>>("scal") == -1);
static_assert(part_named<std::array<int, 12>>("11") == 11 && part_named<std::array<int, 12>>("12") == -1);
static_assert(position_in("0") == 0 && position_in("") == -1 && position_in("1x") == -1 && position_in("-1") == -1 &&
              position_in("99999999999") == -1);

TEST_CASE("a path leads to the member itself") {
  outer<double> a;
  CHECK(&part_of<outer<double>, "layers.1.3.weight">(a) == &std::get<1>(a.layers)[3].weight);
  outer<double> const& b = a;
  CHECK(&part_of<outer<double>, "scale">(b) == &a.scale);
}

}  // namespace
