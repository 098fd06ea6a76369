// Loops that keep few carries in loops, and under second derivatives.
#include "transform/few_carries.hpp"

using namespace etch;
using namespace few_carries;
using namespace same;

namespace {

constexpr auto three = keep_recursive<3 * 3 * 8>;

template <class Outer, class Inner>
constexpr auto nested(Outer, Inner) {
  return [](auto w, auto xs) {
    auto const last = scan(
        [&](auto h, auto x) {
          auto const inner =
              scan([&](auto k, auto z) { return tanh(w * k + x + 0.1 * cwise_product(h, z)); }, h, xs, Inner{});
          return inner + 0.1 * x;
        },
        ones<3>(), xs, Outer{});
    return sum(square(last));
  };
}
template <class Outer, class Inner>
constexpr std::int64_t saved =
    decltype(compile<wrt<0, 1>>(nested(Outer{}, Inner{}), matrix_type{}, series<20>{}))::facts.saved_bytes;
using three_t = std::remove_const_t<decltype(three)>;
// Three snapshots of the outer loop, its first carry and its last; one of the inner loops runs at a time.
static_assert(saved<three_t, three_t> == 128 + 64 + 64);
// The inner loop's carries are computed again for each step of the outer one.
static_assert(saved<keep_all_t, three_t> < saved<keep_all_t, keep_carries_t> / 4);

template <class Keep>
constexpr auto steepness(Keep) {
  return [](auto w, auto xs) {
    auto const loss = [&](auto v) {
      return sum(square(scan([&](auto h, auto x) { return tanh(v * h + x); }, ones<3>(), xs, Keep{})));
    };
    return squared_norm(grad(loss)(w));
  };
}

}  // namespace

TEST_CASE("loops in loops") {
  matrix_type const w = filled_with<matrix_type>(4);
  series<11> const xs = filled_with<series<11>>(5);
  check_same(both, nested(keep_all, three), nested(keep_all, keep_all), w, xs);
  check_same(both, nested(keep_carries, three), nested(keep_all, keep_all), w, xs);
  check_same(both, nested(keep_every<4>, three), nested(keep_all, keep_all), w, xs);
  check_same(both, nested(three, keep_all), nested(keep_all, keep_all), w, xs);
  check_same(both, nested(three, three), nested(keep_all, keep_all), w, xs);
}

TEST_CASE("second derivatives") {
  matrix_type const w = filled_with<matrix_type>(6);
  series<17> const xs = filled_with<series<17>>(7);
  check_same(both, steepness(three), steepness(keep_all), w, xs);
}
