// Value and gradient beside the value alone: the four workloads of chalk-lab/Mooncake.jl 361; of the networks also with
// the gradient in the image, which the programs of that thread compute too.
#include "../run/lenet/loss.hpp"
#include "../run/lenet/problem.hpp"
#include "../run/mlp/loss.hpp"
#include "../run/mlp/problem.hpp"
#include "../run/sum_atan2/loss.hpp"
#include "../run/sum_atan2/problem.hpp"
#include "../run/sum_squares/loss.hpp"
#include "../run/sum_squares/problem.hpp"

#include "../run/contest.hpp"

#include <cmath>
#include <cstdio>
#include <memory>

namespace {

/// The arguments of a problem's loss as a tuple of references, those to be differentiated first,
/// and their number without the image.
auto arguments(mlp::inputs const& i) { return std::tie(i.model.w1, i.model.b1, i.model.w2, i.model.b2, i.x); }
auto targets(mlp::gradient& g, decltype(mlp::inputs::x)& dx) { return std::tie(g.w1, g.b1, g.w2, g.b2, dx); }
auto arguments(lenet::inputs const& i) {
  lenet::parameters const& p = i.model;
  return std::tie(p.k1, p.c1, p.k2, p.c2, p.w1, p.b1, p.w2, p.b2, p.w3, p.b3, i.x);
}
auto targets(lenet::gradient& g, decltype(lenet::inputs::x)& dx) {
  return std::tie(g.k1, g.c1, g.k2, g.c2, g.w1, g.b1, g.w2, g.b2, g.w3, g.b3, dx);
}
template <class Data>
auto arguments(Data const& d) {
  return std::tie(d.x);
}

template <std::size_t... I>
auto first_of(auto const& all, std::index_sequence<I...>) {
  return std::tie(std::get<I>(all)...);
}

template <class Wrt, class Loss, class... A>
auto program_for(Loss loss, std::tuple<A const&...>) -> decltype(etch::compile<Wrt>(loss, std::declval<A const&>()...));
template <std::size_t... I>
auto positions(std::index_sequence<I...>) -> etch::wrt<static_cast<int>(I)...>;

/// Enters the loss of a problem asked for its value, and for its gradients in the first `Wanted` arguments.
template <std::size_t Wanted, class Loss>
void enter(std::vector<bench::contestant>& all, std::string name, benchmark::TimeUnit unit, Loss loss,
           auto const& inputs, auto const& into) {
  using given = decltype(arguments(inputs));
  using program =
      decltype(program_for<decltype(positions(std::make_index_sequence<Wanted>{}))>(loss, std::declval<given>()));
  static program step;
  static given const from = arguments(inputs);
  static auto const to = first_of(into, std::make_index_sequence<Wanted>{});
  auto const run = [] {
    return std::apply(
        [](auto const&... a) {
          if constexpr (Wanted == 0) return step(a...);
          else return std::apply([&](auto&... g) { return step(a..., etch::into(g...)); }, to);
        },
        from);
  };
  all.push_back({.name = std::move(name),
                 .unit = unit,
                 .once = [run] { run(); },
                 .repeat =
                     [run](benchmark::State& state) {
                       for (auto _ : state) benchmark::DoNotOptimize(run()), benchmark::ClobberMemory();
                     },
                 .flops = static_cast<double>(program::facts.flops),
                 .workspace = static_cast<double>(program::facts.workspace_bytes),
                 .element = sizeof(float)});
}

template <class Problem>
struct network {
  typename Problem::inputs in;
  typename Problem::gradient g;
  decltype(Problem::inputs::x) dx;
};

template <class Problem>
void enter_network(std::vector<bench::contestant>& all, auto loss) {
  static auto const n = std::make_unique<network<Problem>>();
  Problem::fill(n->in);
  constexpr std::size_t count = std::tuple_size_v<decltype(arguments(n->in))>;
  std::string const name = std::string("primal_") + Problem::name;
  auto const into = targets(n->g, n->dx);
  enter<0>(all, name + "/value", Problem::unit, loss, n->in, into);
  enter<count - 1>(all, name + "/gradient", Problem::unit, loss, n->in, into);
  enter<count>(all, name + "/with_image", Problem::unit, loss, n->in, into);
}

template <class Problem>
void enter_sum(std::vector<bench::contestant>& all, auto loss) {
  using data = typename Problem::inputs;
  static auto const in = std::make_unique<data>(), g = std::make_unique<data>();
  Problem::fill(*in);
  std::string const name = std::string("primal_") + Problem::name;
  auto const into = std::tie(g->x);
  enter<0>(all, name + "/value", Problem::unit, loss, *in, into);
  enter<1>(all, name + "/gradient", Problem::unit, loss, *in, into);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::contestant> all;
  enter_network<mlp>(all, mlp_loss);
  enter_network<lenet>(all, lenet_loss);
  enter_sum<sum_squares_problem::problem>(all, sum_squares_problem::loss);
  enter_sum<sum_atan2_problem::problem>(all, sum_atan2_problem::loss);
  return bench::contest(argc, argv, all);
}
