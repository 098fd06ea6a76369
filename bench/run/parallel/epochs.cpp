// Ten epochs of LeNet on as many images as MNIST has, on one core and shared by two workers: the network of
// SimpleChains' published times, relu and no padding, with Adam. With a directory of MNIST's files as argument their
// images are read, again and again if they are fewer; without one they are drawn. Prints a table for docs/parallel.md,
// with the time that the same multiplications and additions take at a core's peak.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "../../../examples/images.hpp"
#include "../peak.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

namespace nn = etch::nn;

constexpr int batch = 160, images_in_epoch = 60'000, epochs = 10;  // 375 steps
static_assert(images_in_epoch % batch == 0);

using network =
    nn::sequential<float,                                                              //
                   nn::conv2d<float, 1, 6, 5>, nn::activation::relu, nn::max_pool<2>,  // 24 x 24 to 12 x 12
                   nn::conv2d<float, 6, 16, 5>, nn::activation::relu, nn::max_pool<2>, nn::flatten,  // 8 x 8 to 4 x 4
                   nn::dense<float, 256, 120>, nn::activation::relu, nn::dense<float, 120, 84>, nn::activation::relu,
                   nn::dense<float, 84, 10>>;

constexpr auto loss = [](auto model, auto x, auto labels) { return nn::softmax_cross_entropy(model(x), labels); };
constexpr auto classify = [](auto model, auto x) { return model(x); };

network model;
etch::optim::adam<network> adam;
etch::tensor<float, 28, 28, 1, batch> x;
etch::tensor<int, batch> labels;
constinit auto step = etch::compile(loss, model, x, labels);
constinit auto shared = etch::parallel<2>(etch::compile(loss, network{}, decltype(x){}, decltype(labels){}));
constinit auto logits = etch::compile<etch::wrt<>>(classify, model, x);

constexpr double operations = static_cast<double>(decltype(step)::facts.flops) * epochs * images_in_epoch / batch;
double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Prints the seconds of training with `program`, reading of images included, and what it has learned.
void train(auto& program, mnist::data_set const& set, char const* name) {
  nn::init::glorot_uniform(model, 1);
  adam = {};
  adam.learning_rate = 0.002f;
  std::vector<std::uint32_t> order(images_in_epoch);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<std::uint32_t>(i % static_cast<std::size_t>(set.train.count));
  nn::generator random(1);
  auto const begin = std::chrono::steady_clock::now();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    random.shuffle(order);
    for (std::size_t at = 0; at < order.size(); at += batch) {
      for (std::size_t n = 0; n < batch; ++n) images::load(set.train, order[at + n], x, labels, static_cast<int>(n));
      program(model, x, labels);
      adam.update(model, program.template grad<0>());
    }
  }
  double const seconds = seconds_since(begin);
  double const right =
      images::accuracy(set.test, x, labels, [](auto const& all) -> auto const& { return logits(model, all); });
  std::printf("| %s | %.1f s | %.0f | %.1f %% of %d images |\n", name, seconds, operations / seconds * 1e-9, right,
              set.test.count);
}

/// Prints the seconds that `operations` would take one core at its peak.
void at_peak() {
  std::vector<bench::contestant> const peaks = bench::peaks();
  bench::contestant const& multiply_adds = peaks.front();
  constexpr int calls = 100;
  double least = 1;
  for (int i = 0; i < 2000; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) multiply_adds.once();
    least = std::min(least, seconds_since(begin));
  }
  double const rate = multiply_adds.flops * calls / least;
  std::printf("| one core that does nothing but multiply-adds | %.1f s | %.0f | |\n", operations / rate, rate * 1e-9);
}

}  // namespace

int main(int argc, char** argv) {
  mnist::data_set const set =
      argc > 1 ? mnist::read(argv[1])
               : mnist::data_set{digits::draw_images(0, images_in_epoch), digits::draw_images(images_in_epoch, 10'000)};
  std::printf("| | ten epochs | GFLOP/s | read |\n|---|---|---|---|\n");
  train(step, set, "one core");
  train(shared, set, "two workers");
  at_peak();
}
