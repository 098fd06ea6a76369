// train_digits: an MLP 784-32-10 learns to read digits. The loss is a lambda; its gradient is compiled, and allocates nothing.
#include <etch/etch.hpp>

#include "digits.hpp"
#include "heap_count.hpp"
#include "mnist.hpp"
#include "options.hpp"
#include "progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
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
  decltype(etch::compile<etch::wrt<0>>(loss, model, x, labels)) step = etch::compile<etch::wrt<0>>(loss, model, x, labels);
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

/// Copies image `from` of the set to column `to` of the batch.
void load_image(learner& net, labelled_images const& set, std::uint32_t from, int to) {
  std::uint8_t const* const image = set.pixels.data() + std::size_t{from} * pixels;
  std::transform(image, image + pixels, &net.x(0, to), [](std::uint8_t p) { return static_cast<float>(p) / 255; });
  net.labels(to) = set.labels[from];
}

outcome train(learner& net, labelled_images const& set, options const& o) {
  int const steps = set.count / batch;  // An epoch's last images, fewer than a batch, are left out; it is shuffled which.
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
      for (int i = 0; i < batch; ++i) load_image(net, set, order[static_cast<std::size_t>(step * batch + i)], i);
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

/// The percentage of images whose largest logit is the label's. All count; of an incomplete batch only the images that there are.
double accuracy(learner& net, labelled_images const& set) {
  int correct = 0;
  for (int first = 0; first < set.count; first += batch) {
    int const count = std::min(batch, set.count - first);
    for (int i = 0; i < count; ++i) load_image(net, set, static_cast<std::uint32_t>(first + i), i);
    auto const& logits = net.logits(net.model, net.x);
    for (int i = 0; i < count; ++i) {
      float const* const column = &logits(0, i);
      correct += std::max_element(column, column + classes) - column == net.labels(i);
    }
  }
  return 100.0 * correct / set.count;
}

mnist::data_set read_or_draw(options const& o) {
  if (!o.data) {
    std::printf("no --data given: the digits are drawn by this program\n");
    return {digits::draw_images(0, 8000), digits::draw_images(8000, 2000)};
  }
  mnist::data_set set = mnist::read(*o.data);
  if (set.train.count < batch)
    throw std::runtime_error(*o.data + ": there are fewer training images than a batch of " + std::to_string(batch));
  std::printf("images from %s\n", o.data->c_str());
  return set;
}

void report(outcome const& trained, double percentage) {
  std::printf("test accuracy      %.2f %%\n", percentage);
  std::printf("time per gradient  %.1f us, for a batch of %d\n", 1e6 * trained.seconds_per_gradient, batch);
  std::printf("speed              %.1f GFLOP/s\n", 1e-9 * static_cast<double>(facts.flops) / trained.seconds_per_gradient);
  std::printf("workspace          %lld bytes\n", static_cast<long long>(facts.workspace_bytes));
  if (char const* const reason = heap::why_not_counted()) std::printf("heap allocations   %s\n", reason);
  else std::printf("heap allocations   %ld during training\n", trained.allocations);
}

/// The exit status, with a line for what went wrong.
int judge(outcome const& trained, double percentage, options const& o) {
  char const* const fault = !std::isfinite(trained.loss)      ? "the loss is not finite; try a smaller --lr"
                            : trained.allocations != 0        ? "training allocated heap memory"
                            : percentage < o.require_accuracy ? "the accuracy is below the one required"
                                                              : nullptr;
  if (fault != nullptr) std::fprintf(stderr, "train_digits: %s\n", fault);
  return fault != nullptr ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  static char output_buffer[1 << 16];
  std::setvbuf(stdout, output_buffer, _IOLBF, sizeof output_buffer);  // stdio's own buffer would come from the heap

  CLI::App app{"Trains a small network to read digits, and reports how fast that went."};
  try {
    options const o = parse(app, argc, argv);
    mnist::data_set const set = read_or_draw(o);
    std::printf("%d images to learn from, %d others to test\n", set.train.count, set.test.count);
    auto const net = std::make_unique<learner>();
    etch::nn::init::glorot_uniform(net->model, o.seed);
    outcome const trained = train(*net, set.train, o);
    double const percentage = accuracy(*net, set.test);
    report(trained, percentage);
    return judge(trained, percentage, o);
  } catch (CLI::ParseError const& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "train_digits: %s (see --help)\n", e.what());
  } catch (std::exception const& e) {
    std::fprintf(stderr, "train_digits: %s\n", e.what());
  }
  return 2;
}
