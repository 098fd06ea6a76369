// train_digits: an MLP 784-32-10 learns to read digits. The loss is a lambda; its gradient is
// compiled, and allocates nothing.
#include <etch/etch.hpp>

#include "images.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <vector>

namespace {

using etch::io::labelled_images;
using clock = std::chrono::steady_clock;

constexpr int pixels = 784, hidden_units = 32, classes = 10, batch = 128;

template <class T>
struct mlp {
  etch::nn::dense<T, pixels, hidden_units> hidden;
  etch::nn::dense<T, hidden_units, classes> output;
  ETCH_MEMBERS(mlp, hidden, output)

  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

constexpr auto loss = [](auto model, auto x, auto labels) { return etch::nn::softmax_cross_entropy(model(x), labels); };
constexpr auto classify = [](auto model, auto x) { return model(x); };

/// A model, its optimiser, a batch, and the programs for them: about 1 MB, not for the stack.
struct learner {
  mlp<float> model;
  etch::optim::adam<mlp<float>> adam;
  etch::tensor<float, pixels, batch> x;
  etch::tensor<int, batch> labels;
  decltype(etch::compile<etch::wrt<0>>(loss, model, x, labels)) step =
      etch::compile<etch::wrt<0>>(loss, model, x, labels);
  decltype(etch::compile<etch::wrt<>>(classify, model, x)) logits = etch::compile<etch::wrt<>>(classify, model, x);
};

constexpr etch::program_facts facts = decltype(learner::step)::facts;
constexpr std::int64_t large_product = 2LL * hidden_units * pixels * batch;
static_assert(facts.workspace_bytes <= 64 * 1024, "the intermediate values fit the first two levels of cache");
static_assert(facts.flops < large_product * 5 / 2, "two large products, forward and for the weights; none for x");

struct outcome {
  double loss = 0;  ///< of the last batch
  double seconds_per_gradient = 0;
  long allocations = 0;
};

outcome train(learner& net, labelled_images const& set, options const& o) {
  int const steps =
      set.count / batch;  // An epoch's last images, fewer than a batch, are left out; it is shuffled which.
  std::vector<std::uint32_t> order(static_cast<std::size_t>(set.count));
  std::iota(order.begin(), order.end(), 0u);
  etch::nn::generator random(o.seed, 1000);  // a stream that no layer draws from
  progress shown(o.epochs, steps, batch);

  outcome result;
  clock::duration spent{};
  double const total = static_cast<double>(o.epochs) * steps;
  long const allocations_before = heap::count();
  for (int epoch = 0; epoch < o.epochs; ++epoch) {
    random.shuffle(order);
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < batch; ++i)
        images::load(set, order[static_cast<std::size_t>(step * batch + i)], net.x, net.labels, i);
      auto const start = clock::now();
      result.loss = net.step(net.model, net.x, net.labels);
      spent += clock::now() - start;
      net.adam.learning_rate = o.lr * (1 - static_cast<double>(net.adam.step) / total);
      net.adam.update(net.model, net.step.grad<0>());
      shown.step(result.loss);
    }
  }
  result.allocations = heap::count() - allocations_before;
  result.seconds_per_gradient = std::chrono::duration<double>(spent).count() / total;
  return result;
}

void print(outcome const& trained, double percentage) {
  std::printf("test accuracy      %.2f %%\n", percentage);
  std::printf("time per gradient  %.1f us, for a batch of %d\n", 1e6 * trained.seconds_per_gradient, batch);
  std::printf("speed              %.1f GFLOP/s\n",
              1e-9 * static_cast<double>(facts.flops) / trained.seconds_per_gradient);
  report::memory(facts, trained.allocations);
}

}  // namespace

int main(int argc, char** argv) {
  report::keep_output_off_the_heap();
  CLI::App app{"Trains a small network to read digits, and reports how fast that went."};
  try {
    options const o = parse(app, argc, argv);
    mnist::data_set const set = images::read_or_draw(o.data, batch);
    std::printf("%d images to learn from, %d others to test\n", set.train.count, set.test.count);
    auto const net = std::make_unique<learner>();
    etch::nn::init::glorot_uniform(net->model, o.seed);
    outcome const trained = train(*net, set.train, o);
    double const percentage = images::accuracy(
        set.test, net->x, net->labels, [&](auto const& x) -> auto const& { return net->logits(net->model, x); });
    print(trained, percentage);
    return report::judge("train_digits",
                         {{std::isfinite(trained.loss), "the loss is not finite; try a smaller --lr"},
                          {trained.allocations == 0, "training allocated heap memory"},
                          {percentage >= o.require_accuracy, "the accuracy is below the one required"}});
  } catch (CLI::ParseError const& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "train_digits: %s (see --help)\n", e.what());
  } catch (std::exception const& e) {
    std::fprintf(stderr, "train_digits: %s\n", e.what());
  }
  return 2;
}
