// Lesson 3: a sequence becomes one answer. A GRU follows the strokes of a pen, one small movement after the
// other, and tells at the end what was drawn; a program that draws gestures of any size, turn, speed and
// begin provides as many as are wanted.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <numbers>

namespace {

namespace nn = etch::nn;

constexpr int gestures = 6, hidden = 32, batch = 64, time_steps = 40;
char const* const names[gestures] = {"circle", "circle the other way", "eight", "zigzag", "spiral", "square"};
bool const is_closed[gestures] = {true, true, true, false, false, true};  // and may begin anywhere

/// Where the pen is after a part `s` of the gesture, 0 to 1; what is closed goes on from there.
void place(int gesture, double s, double& x, double& y) {
  double const turn = 2 * std::numbers::pi * s, side = 4 * (s - std::floor(s)), along = side - std::floor(side);
  switch (gesture) {
    case 0:
      x = std::cos(turn), y = std::sin(turn);
      break;
    case 1:
      x = std::cos(turn), y = -std::sin(turn);
      break;
    case 2:
      x = std::sin(turn), y = std::sin(2 * turn) / 2;
      break;
    case 3:
      x = 2 * s - 1, y = std::abs(std::fmod(6 * s, 2) - 1) - 0.5;
      break;
    case 4:
      x = s * std::cos(2 * turn), y = s * std::sin(2 * turn);
      break;
    default:
      x = side < 1 ? along : side < 2 ? 1 : side < 3 ? 1 - along : 0;
      y = side < 1 ? 0 : side < 2 ? along : side < 3 ? 1 : 1 - along;
  }
}

// Movements are [2, batch, time]: time is the last axis.
etch::tensor<float, 2, batch, time_steps> strokes;
etch::tensor<int, batch> kinds;

/// Draws gesture number `from + n` of an endless series into each sample n of the batch.
void draw(std::uint64_t from) {
  for (int n = 0; n < batch; ++n) {
    nn::generator random(3, from + static_cast<std::uint64_t>(n));
    int const gesture = static_cast<int>(random.below(gestures));
    double const size = random.uniform(0.5, 2), turn = random.uniform(0, 2 * std::numbers::pi),
                 haste = random.uniform(0.7, 1.4);
    double const c = size * std::cos(turn), d = size * std::sin(turn), tremble = 0.03 * size;
    double const begin = is_closed[gesture] ? random.uniform() : 0;
    double x = 0, y = 0, before_x = 0, before_y = 0;
    for (int t = 0; t <= time_steps; ++t) {
      place(gesture, begin + std::pow(static_cast<double>(t) / time_steps, haste), x, y);
      double const u = c * x - d * y + tremble * random.normal(), v = d * x + c * y + tremble * random.normal();
      if (t > 0)
        strokes(0, n, t - 1) = static_cast<float>(u - before_x),
                          strokes(1, n, t - 1) = static_cast<float>(v - before_y);
      before_x = u, before_y = v;
    }
    kinds(n) = gesture;
  }
}

template <class T>
struct reader {
  nn::gru_cell<T, 2, hidden> eye;
  nn::dense<T, hidden, gestures> mind;
  ETCH_MEMBERS(reader, eye, mind)

  constexpr auto operator()(auto const& seen) const {
    return mind(
        nn::unroll(eye, etch::zeros<hidden, batch>(), seen).carry);  // the last state; `.y` would be all of them
  }
};

constexpr auto loss = [](auto model, auto seen, auto kinds_of) {
  return nn::softmax_cross_entropy(model(seen), kinds_of);
};
constexpr auto classify = [](auto model, auto seen) { return model(seen); };

reader<float> model;
etch::optim::adam<reader<float>> adam;
constinit auto step = etch::compile(loss, model, strokes, kinds);
constinit auto logits = etch::compile<etch::wrt<>>(classify, model, strokes);

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  etch::optim::warm_up const rate{s.steps / 20, etch::optim::cosine_decay{0.006, 0, s.steps - s.steps / 20}};

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    draw(static_cast<std::uint64_t>(i) * batch);
    double const value = step(model, strokes, kinds);
    adam.learning_rate = rate(i);
    adam.update(model, step.grad<0>());
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %4d: loss %.4f\n", i + 1, value);
  }
  long const allocations = heap::count() - before;

  // From a part of the series that training never reaches.
  int right[gestures] = {}, drawn[gestures] = {};
  for (int round = 0; round < 16; ++round) {
    draw((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(round) * batch);
    auto const& answer = logits(model, strokes);
    for (int n = 0; n < batch; ++n) {
      float const* const column = &answer(0, n);
      ++drawn[kinds(n)];
      right[kinds(n)] += std::max_element(column, column + gestures) - column == kinds(n);
    }
  }
  int all_right = 0;
  for (int g = 0; g < gestures; ++g) {
    std::printf("%-20s %3d of %3d\n", names[g], right[g], drawn[g]);
    all_right += right[g];
  }
  double const accuracy = 100.0 * all_right / (16 * batch);
  std::printf("accuracy           %.2f %%, where chance has %.2f %%\n", accuracy, 100.0 / gestures);
  return {step.value(), accuracy >= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "03_gestures",
                      .about = "A recurrent network tells six gestures of a pen apart.",
                      .steps = 2000,
                      .bound = 97,
                      .measure = "percent of unseen gestures that must be recognised"},
                     teach);
}
