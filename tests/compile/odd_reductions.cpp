// Reductions of odd structure, run on real memory: each must give what its graph says, overwriting,
// accumulating, and by `value_and_grad`.
#include <etch/compile/executable.hpp>

#include "laws/agree.hpp"

using namespace etch;
using laws::check_agreement;
using laws::randomise;

namespace {

template <class A>
A random(std::uint64_t seed) {
  A a;
  randomise(a, 0.5, 1.5, seed);
  return a;
}

using box = tensor<float, 3, 4, 5>;
using large_box = tensor<double, 2, 3, 4, 3>;

}  // namespace

TEST_CASE("reductions of reductions, and along the middle of boxes") {
  auto const x = random<box>(1);
  auto const y = random<large_box>(2);
  check_agreement<wrt<0>>(1e-4, [](auto v) { return max(sum<1>(square(v))) + sum(square(mean<0, 2>(v))); }, x);
  check_agreement<wrt<0>>(
      1e-4, [](auto v) { return sum(cwise_product(softmax<1>(v), exp(-v))) + sum(square(sum<2>(max<1>(v)))); }, x);
  check_agreement<wrt<0>>(
      1e-12,
      [](auto v) {
        return sum(logsumexp<2>(v)) + sum(square(sum<1, 3>(v) - max<0, 2>(v))) + sum(max<3>(sum<2>(sum<1>(sum<0>(v)))));
      },
      y);
}
