// Two losses of the same text, trained by several threads at once, each with models of its own: allocations while
// they train, and whether all models are equal in every bit. The first argument says which loss the process uses
// first, 0 or 1, the second how many threads train.
#include <etch/etch.hpp>

#include "../../examples/heap_count.hpp"

#include <cstdio>
#include <cstdlib>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace {

using layer = etch::nn::dense<float, 8, 1>;
using inputs = etch::tensor<float, 8, 2>;
using targets = etch::tensor<float, 1, 2>;

constexpr auto one = [](auto model, auto x, auto y) { return etch::nn::mse(model(x), y); };
constexpr auto other = [](auto model, auto x, auto y) { return etch::nn::mse(model(x), y); };

constexpr auto of_one = etch::compile(one, layer{}, inputs{}, targets{});
constexpr auto of_other = etch::compile(other, layer{}, inputs{}, targets{});
static_assert(!std::is_same_v<decltype(one), decltype(other)>, "two losses");
static_assert(etch::same_program<decltype(of_one), decltype(of_other)>, "of one program");
static_assert(decltype(of_one)::facts.allocations == 0);

constexpr int updates = 100'000;

struct data {
  inputs x;
  targets y;
};

/// A thread owns two models that begin equal, one for each loss.
struct trainee {
  decltype(etch::compile(one, layer{}, inputs{}, targets{})) step;
  layer models[2];
  etch::optim::sgd<layer> descent[2]{{.learning_rate = 0.01, .momentum = 0.5},
                                     {.learning_rate = 0.01, .momentum = 0.5}};

  void train(data const& d, int which) {
    for (int i = 0; i < updates; ++i) {
      step(models[which], d.x, d.y);
      descent[which].update(models[which], step.grad<0>());
    }
  }
};

/// The start and the end of all threads' work on one loss.
struct phase {
  std::latch begin{1}, end;
  explicit phase(int threads) : end(threads) {}
};

}  // namespace

int main(int count, char** arguments) {
  int const first = count > 1 ? std::atoi(arguments[1]) : 0, threads = count > 2 ? std::atoi(arguments[2]) : 1;
  if (first < 0 || first > 1 || threads < 1)
    return std::fputs("usage: first_use [0 | 1 [threads]]\n", stderr), EXIT_FAILURE;
  if (char const* reason = heap::why_not_counted()) {
    std::printf("skipped: heap allocations are %s\n", reason);
    return 77;
  }
  data d;
  etch::nn::generator random(2);
  for (float& e : d.x) e = static_cast<float>(random.normal());
  for (float& e : d.y) e = static_cast<float>(random.normal());
  std::vector<trainee> all(static_cast<std::size_t>(threads));
  for (trainee& t : all)
    for (layer& m : t.models) etch::nn::init::glorot_uniform(m, 1);
  layer const start = all[0].models[0];

  phase phases[2]{phase(threads), phase(threads)};
  std::vector<std::thread> workers;
  for (trainee& t : all)
    workers.emplace_back([&] {
      for (int turn = 0; turn < 2; ++turn) {
        phases[turn].begin.wait();
        t.train(d, turn == 0 ? first : 1 - first);
        phases[turn].end.count_down();
      }
    });
  long made[2];
  for (int turn = 0; turn < 2; ++turn) {
    long const before = heap::count();
    phases[turn].begin.count_down();
    phases[turn].end.wait();
    made[turn == 0 ? first : 1 - first] = heap::count() - before;
  }
  for (std::thread& w : workers) w.join();

  layer const& reference = all[0].models[0];
  bool equal = !(reference.weight == start.weight);  // something was learnt
  for (trainee const& t : all)
    for (layer const& m : t.models) equal = equal && m.weight == reference.weight && m.bias == reference.bias;

  auto const say = [&](char const* what, long n) { std::printf("first_use.%d.%d.%s %ld\n", first, threads, what, n); };
  say("updates", updates);
  say("allocations_one", made[0]);
  say("allocations_other", made[1]);
  say("equal", equal);
  bool const good = equal && made[0] == 0 && made[1] == 0;
  std::printf("%d passed, %d failed\n", good, !good);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
