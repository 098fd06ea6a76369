// Lesson 7: pictures become pictures. Convolutions with stride 2 make a noisy digit small, transposed ones make
// it large again; what does not fit through the waist is the noise. Shapes are types: a layer that would not
// give back 28 by 28 does not compile.
#include <etch/etch.hpp>

#include "digits.hpp"
#include "lesson.hpp"

#include <algorithm>

namespace {

namespace nn = etch::nn;

constexpr int batch = 32, side = digits::side;

template <class T>
using restorer = nn::sequential<T, nn::conv2d<T, 1, 8, 3, 2, 1>, nn::activation::relu,          // 28 x 28 to 14 x 14
                                nn::conv2d<T, 8, 16, 3, 2, 1>, nn::activation::relu,            // to 7 x 7
                                nn::conv_transpose2d<T, 16, 8, 4, 2, 1>, nn::activation::relu,  // to 14 x 14
                                nn::conv_transpose2d<T, 8, 1, 4, 2, 1>>;                        // to 28 x 28

using pictures = etch::tensor<float, side, side, 1, batch>;

// The last layer gives logits of grey values, which the loss takes as they are.
constexpr auto loss = [](auto model, auto noisy, auto clean) { return nn::binary_cross_entropy(model(noisy), clean); };
constexpr auto restore = [](auto model, auto noisy) { return sigmoid(model(noisy)); };

restorer<float> model;
etch::optim::adam<restorer<float>> adam{.learning_rate = 0.01};
pictures clean, noisy;
constinit auto step = etch::compile(loss, model, noisy, clean);
constinit auto restored = etch::compile<etch::wrt<>>(restore, model, noisy);

/// Draws pictures number `from` to `from + batch - 1` of an endless series, and spoils them.
void draw(std::uint64_t from) {
  for (int n = 0; n < batch; ++n) {
    nn::generator random(9, from + static_cast<std::uint64_t>(n));
    std::uint32_t const digit = random.below(digits::classes);
    digits::hand const by(random);
    digits::canvas const drawn = digits::draw(digits::glyphs()[digit], by);
    std::copy(drawn.begin(), drawn.end(), &clean(0, 0, 0, n));
    std::transform(drawn.begin(), drawn.end(), &noisy(0, 0, 0, n),
                   [&](float grey) { return grey + 0.5f * static_cast<float>(random.normal()); });
  }
}

double mean_squared_error(pictures const& a, pictures const& b) {
  return static_cast<double>((a.flat() - b.flat()).squaredNorm()) / pictures::count;
}

/// Picture n of each, side by side, two rows in one line.
void print(int n, std::initializer_list<pictures const*> all) {
  for (int row = 0; row < side; row += 2) {
    for (pictures const* each : all) {
      for (int column = 0; column < side; ++column) {
        float const grey = ((*each)(column, row, 0, n) + (*each)(column, row + 1, 0, n)) / 2;
        std::putchar(" .:-=+*#%@"[std::clamp(static_cast<int>(10 * grey), 0, 9)]);
      }
      std::printf("  ");
    }
    std::printf("\n");
  }
}

lesson::outcome teach(lesson::settings const& s) {
  nn::init::he_uniform(model, 1);
  draw(0);  // once before heap memory is counted: the glyphs come from there

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    draw(static_cast<std::uint64_t>(i) * batch);
    double const value = step(model, noisy, clean);
    adam.update(model, step.grad<0>());
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %4d: loss %.4f\n", i + 1, value);
  }
  long const allocations = heap::count() - before;

  double error = 0, error_before = 0;
  for (int round = 0; round < 8; ++round) {
    draw((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(round) * batch);  // never reached by training
    error_before += mean_squared_error(noisy, clean) / 8;
    error += mean_squared_error(restored(model, noisy), clean) / 8;
  }
  print(0, {&noisy, &restored.value(), &clean});
  std::printf("mean squared error %.4f, before %.4f\n", error, error_before);
  return {step.value(), error <= s.bound * error_before, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "07_denoising",
                      .about = "A network restores noisy pictures.",
                      .steps = 800,
                      .bound = 0.08,
                      .measure = "part of the squared error that may be left"},
                     teach);
}
