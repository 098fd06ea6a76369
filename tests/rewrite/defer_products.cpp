#include <etch/rewrite/defer_products.hpp>

#include <etch/compile/program.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr int width = 24, steps = 5;

template <int Batch>
using states = etch::tensor<double, width, Batch>;
using matrix_type = etch::tensor<double, width, width>;
template <int Batch>
using series = etch::tensor<double, width, Batch, steps>;

/// A recurrent network whose state begins with an argument; with a loop, or written out.
template <int Batch, class Keep>
struct network {
  constexpr auto operator()(auto w, auto u, auto h, auto xs) const {
    return sum(square(etch::scan([&](auto state, auto x) { return tanh(w * state + u * x); }, h, xs, Keep{})));
  }
};
template <int Batch>
struct unrolled {
  constexpr auto operator()(auto w, auto u, auto h, auto xs) const {
    return each(w, u, h, xs, std::make_integer_sequence<int, steps>{});
  }
  template <int... T>
  static constexpr auto each(auto w, auto u, auto h, auto xs, std::integer_sequence<int, T...>) {
    ((h = tanh(w * h + u * etch::reshape<width, Batch>(etch::slice<2, T, 1>(xs)))), ...);
    return sum(square(h));
  }
};

template <class Loss, int Batch>
using program = decltype(etch::compile<etch::wrt<0, 1, 2, 3>>(Loss{}, matrix_type{}, matrix_type{}, states<Batch>{},
                                                              series<Batch>{}));

/// The number of products whose results a loop of the program adds up.
template <class Program>
consteval int summed_products() {
  etch::graph_view const g = Program::executable::graph;
  int count = 0;
  for (int id = 0; id < g.size(); ++id) {
    if (!etch::facts_of(g[id]).is_loop) continue;
    etch::loop_body const l = etch::loop_at(g, id);
    for (std::size_t r = 0; r < l.out.size(); ++r)
      count += l.out[r] == etch::loop_output::sum && etch::facts_of(l.body[l.body.outputs[r]]).is_product;
  }
  return count;
}

template <int Batch, class Keep>
void check_against_unrolled() {
  program<network<Batch, Keep>, Batch> looped;
  program<unrolled<Batch>, Batch> written_out;
  matrix_type w, u;
  states<Batch> h;
  series<Batch> xs;
  int n = 0;
  auto const fill = [&](auto& x, double scale) {
    for (double& each : x) each = scale * ((n += 7) % 19 - 9);
  };
  fill(w, 0.02), fill(u, 0.03), fill(h, 0.1), fill(xs, 0.1);
  CHECK(looped(w, u, h, xs) == doctest::Approx(written_out(w, u, h, xs)).epsilon(1e-13));
  auto const same = [](auto const& a, auto const& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a.data()[i] - b.data()[i]));
    CHECK(worst < 1e-13);
  };
  same(looped.template grad<0>(), written_out.template grad<0>());
  same(looped.template grad<1>(), written_out.template grad<1>());
  same(looped.template grad<2>(), written_out.template grad<2>());
  same(looped.template grad<3>(), written_out.template grad<3>());
  matrix_type sum_w = looped.template grad<0>(), sum_u = looped.template grad<1>();
  auto sum_h = looped.template grad<2>();
  auto sum_x = looped.template grad<3>();
  looped(w, u, h, xs, etch::add_to(sum_w, sum_u, sum_h, sum_x));
  for (double& each : sum_w) each /= 2;
  for (double& each : sum_u) each /= 2;
  same(sum_w, written_out.template grad<0>());
  same(sum_u, written_out.template grad<1>());
}

template <int Batch, class Keep = etch::keep_all_t>
constexpr int products = summed_products<program<network<Batch, Keep>, Batch>>();

}  // namespace

static_assert(products<1> == 0, "weight gradients of a single sequence are one product each");
static_assert(products<8> == 2, "a batch makes products large enough to add them up as they come");
static_assert(products<1, etch::keep_carries_t> == 2, "what is to keep carries only keeps nothing else");

TEST_CASE("products after a loop, or in it, are those of the loop written out") {
  check_against_unrolled<1, etch::keep_all_t>();
  check_against_unrolled<8, etch::keep_all_t>();
  check_against_unrolled<1, etch::keep_carries_t>();
}
