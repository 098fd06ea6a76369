// Second derivatives of a mixture's log-likelihood against PyTorch.
#include "golden/second_order.hpp"

namespace {

using namespace golden;

template <class T>
struct components {
  param<T, 3> logits;
  param<T, 2, 3> means;
  param<T, 3> log_scales;
  ETCH_MEMBERS(components, logits, means, log_scales)
};
/// (The last constant is log(2 pi).)
constexpr auto mixture = [](auto m, auto points) {
  auto const distances =
      sum<0>(square(points)) - 2.0 * transpose(m.means) * points + transpose(sum<0>(square(m.means)));
  return sum(logsumexp<0>(cwise_product(distances, -0.5 * exp(-2.0 * m.log_scales)) + log_softmax(m.logits) -
                          2.0 * m.log_scales - 1.8378770664093454836));
};

}  // namespace

TEST_CASE("second derivatives of a mixture's log-likelihood by shares, means and scales") {
  file const f = second_order::read_text(second_order::mixture);
  components<double> m;
  assign(m.logits, f.input.at("logits")), assign(m.means, f.input.at("means"));
  assign(m.log_scales, f.input.at("log_scales"));
  tensor<double, 2, 8> points;
  assign(points, f.input.at("points"));
  second_order::check(f, mixture, m, points);
}
