// Lesson 1: a convolutional network. LeNet-5 (Y. LeCun et al., 1998) is a `sequential`; it reads
// digits drawn here or those of MNIST.
#include <etch/etch.hpp>

#include "images.hpp"
#include "lesson.hpp"

#include <numeric>
#include <vector>

namespace {

namespace nn = etch::nn;

constexpr int batch = 50;

// Images are [28, 28, 1, batch]; 6 feature maps, then 16, each halved by pooling; then a network of three dense layers.
template <class T>
using lenet =
    nn::sequential<T,                                                                            //
                   nn::conv2d<T, 1, 6, 5, 1, 2>, nn::activation::tanh, nn::max_pool<2>,          // 28 x 28 to 14 x 14
                   nn::conv2d<T, 6, 16, 5>, nn::activation::tanh, nn::max_pool<2>, nn::flatten,  // 10 x 10 to 5 x 5
                   nn::dense<T, 400, 120>, nn::activation::tanh, nn::dense<T, 120, 84>, nn::activation::tanh,
                   nn::dense<T, 84, 10>>;

constexpr auto loss = [](auto model, auto x, auto labels) { return nn::softmax_cross_entropy(model(x), labels); };
constexpr auto classify = [](auto model, auto x) { return model(x); };

// Large objects are static: nothing of them lies on the stack or comes from the heap.
lenet<float> model;
etch::optim::adam<lenet<float>> adam;
etch::tensor<float, 28, 28, 1, batch> x;
etch::tensor<int, batch> labels;
constinit auto step = etch::compile(loss, model, x, labels);
constinit auto logits = etch::compile<etch::wrt<>>(classify, model, x);

lesson::outcome teach(lesson::settings const& s) {
  mnist::data_set const set = images::read_or_draw(s.path, batch);
  std::vector<std::uint32_t> order(static_cast<std::size_t>(set.train.count));
  std::iota(order.begin(), order.end(), 0u);
  nn::generator random(1, 1000);  // a stream that no layer draws from
  nn::init::glorot_uniform(model, 1);
  etch::optim::cosine_decay const rate{0.003, 0, s.steps};

  int const steps_in_epoch = set.train.count / batch;
  double mean = 0;  // loss of the epoch so far
  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    int const position = i % steps_in_epoch;
    if (position == 0) random.shuffle(order), mean = 0;
    for (int n = 0; n < batch; ++n)
      images::load(set.train, order[static_cast<std::size_t>(position * batch + n)], x, labels, n);
    mean += step(model, x, labels);
    adam.learning_rate = rate(i);
    adam.update(model, step.grad<0>());
    if (position + 1 == steps_in_epoch || i + 1 == s.steps)
      std::printf("step %5d: loss %.4f\n", i + 1, mean / (position + 1));
  }
  long const allocations = heap::count() - before;

  double const accuracy =
      images::accuracy(set.test, x, labels, [](auto const& images) -> auto const& { return logits(model, images); });
  std::printf("accuracy           %.2f %% of %d images never seen\n", accuracy, set.test.count);
  return {step.value(), accuracy >= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(
      argc, argv,
      {.name = "01_lenet",
       .about = "LeNet-5 learns to read digits.",
       .steps = 1600,
       .bound = 97,
       .measure = "percent of the held-out images that must be read",
       .path_as = {"--data", "DIR", "directory with MNIST's files; without it, digits drawn by this program"}},
      teach);
}
