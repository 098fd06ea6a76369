// The time of the programs of asked.hpp, which ask for the same gradients in different words,
// and of the one that asks for more.
#include "asked.hpp"

#include "../run/contest.hpp"

#include <etch/nn/random.hpp>

#include <cstdio>
#include <memory>

namespace {

struct arguments {
  asked::everything<double> all;
  asked::batch<double> batch;
  asked::weights dw;
  asked::offsets db;
  asked::samples dx;

  arguments() {
    etch::nn::generator random(1);
    for (double& e : all.w) e = 0.03 * random.normal();
    for (double& e : all.b) e = 0.1 * random.normal();
    for (double& e : all.x) e = random.normal();
    batch.x = all.x;
  }
};

}  // namespace

int main(int argc, char** argv) {
  static auto const a = std::make_unique<arguments>();
  static asked::of_weights of_weights;
  static asked::of_all of_all;
  static asked::x_in_struct x_in_struct;
  static asked::x_in_closure x_in_closure;
  static asked::x_in_same_struct x_in_same_struct;
  std::vector<bench::contestant> all;
  auto const enter = [&]<class Program>(char const* name, Program const&, auto run) {
    all.push_back({.name = std::string("asked/") + name,
                   .unit = benchmark::kMillisecond,
                   .once = [run] { run(); },
                   .repeat =
                       [run](benchmark::State& state) {
                         for (auto _ : state) benchmark::DoNotOptimize(run());
                       },
                   .flops = static_cast<double>(Program::facts.flops),
                   .workspace = static_cast<double>(Program::facts.workspace_bytes),
                   .element = sizeof(double)});
  };
  enter("weights", of_weights, [] { return of_weights(a->all.w, a->all.b, a->all.x, etch::into(a->dw, a->db)); });
  enter("struct", x_in_struct, [] { return x_in_struct(a->all.w, a->all.b, a->batch, etch::into(a->dw, a->db)); });
  enter("closure", x_in_closure, [] { return x_in_closure(a->all.w, a->all.b, a->all.x, etch::into(a->dw, a->db)); });
  enter("same_struct", x_in_same_struct, [] { return x_in_same_struct(a->all, etch::into(a->dw, a->db)); });
  enter("all", of_all, [] { return of_all(a->all.w, a->all.b, a->all.x, etch::into(a->dw, a->db, a->dx)); });
  enter("add_to", of_weights, [] { return of_weights(a->all.w, a->all.b, a->all.x, etch::add_to(a->dw, a->db)); });

  return bench::contest(argc, argv, all, [] {
    of_all(a->all.w, a->all.b, a->all.x, etch::into(a->dw, a->db, a->dx));
    asked::weights const& w = a->dw;
    bool good = of_weights(a->all.w, a->all.b, a->all.x) > 0 && of_weights.grad<0>() == w;
    x_in_struct(a->all.w, a->all.b, a->batch), good = good && x_in_struct.grad<0>() == w;
    x_in_closure(a->all.w, a->all.b, a->all.x), good = good && x_in_closure.grad<0>() == w;
    x_in_same_struct(a->all), good = good && x_in_same_struct.grad<"w">() == w;
    if (!good) std::printf("the gradients in W differ\n");
    return good;
  });
}
