// Lesson 4: a transformer. Two blocks with causal attention learn to sort: after six digits and a mark they write the
// same six in order, one at a time, each from all that stands before it.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>
#include <array>

namespace {

namespace nn = etch::nn;

constexpr int digits = 10, mark = digits, symbols = 11, count = 6;
constexpr int length = 2 * count;  // six digits, the mark, and all but the last of the answer, which nothing follows
constexpr int width = 32, heads = 4, hidden = 64, batch = 64;

using numbers = std::array<int, count>;

/// Six digits at random. As a number of six digits, those for the test are multiples of 7,
/// and those for training are not.
numbers draw(nn::generator& random, bool for_test) {
  std::uint32_t number = random.below(1'000'000);
  while ((number % 7 == 0) != for_test) number = random.below(1'000'000);
  numbers drawn;
  for (int& digit : drawn) digit = static_cast<int>(number % 10), number /= 10;
  return drawn;
}

template <class T>
struct sorter {
  nn::embedding<T, symbols, width> meaning;
  nn::transformer_block<T, width, heads, hidden, nn::looks::back> first, second;
  nn::layer_norm<T, width> norm;
  nn::dense<T, width, digits> next;
  ETCH_MEMBERS(sorter, meaning, first, second, norm, next)

  /// Logits [digits, length, batch] of what follows each symbol of `text` [length, batch].
  constexpr auto operator()(auto const& text, auto const& positions) const {
    return next(norm(second(first(meaning(text) + positions))));
  }
};

// The loss counts the answer alone, which begins behind the mark.
constexpr auto loss = [](auto model, auto text, auto positions, auto answer) {
  auto const written = etch::slice<1, count, count>(model(text, positions));
  return nn::softmax_cross_entropy(written, answer);
};
constexpr auto choose = [](auto model, auto text, auto positions) { return argmax<0>(model(text, positions)); };

sorter<float> model;
etch::optim::adamw<sorter<float>> adamw;
constexpr auto positions = nn::sinusoidal_positions<float, width, length>();
etch::tensor<int, length, batch> text;
etch::tensor<int, count, batch> answer;
constinit auto step = etch::compile(loss, model, text, positions, answer);
constinit auto chosen = etch::compile<etch::wrt<>>(choose, model, text, positions);

/// Writes the question into column n of the text, with the mark behind it, and the digits in
/// order into column n of the answer.
numbers ask(int n, numbers question) {
  std::copy(question.begin(), question.end(), &text(0, n));
  text(count, n) = mark;
  std::sort(question.begin(), question.end());
  std::copy(question.begin(), question.end(), &answer(0, n));
  return question;
}

lesson::outcome teach(lesson::settings const& s) {
  nn::init::glorot_uniform(model, 1);
  nn::generator random(2);
  etch::optim::warm_up const rate{s.steps / 20, etch::optim::cosine_decay{0.004, 0, s.steps - s.steps / 20}};

  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    for (int n = 0; n < batch; ++n) {
      numbers const sorted = ask(n, draw(random, false));
      std::copy(sorted.begin(), sorted.end() - 1, &text(count + 1, n));  // what it would have written so far
    }
    double const value = step(model, text, positions, answer);
    adamw.learning_rate = rate(i);
    adamw.update(model, step.grad<0>());
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %5d: loss %.4f\n", i + 1, value);
  }
  long const allocations = heap::count() - before;

  // Now it writes by itself: each digit that it chooses is the next that it reads.
  int right = 0, asked = 0;
  for (int round = 0; round < 8; ++round) {
    text.fill(mark);
    for (int n = 0; n < batch; ++n) ask(n, draw(random, true));
    etch::tensor<int, count, batch> written;
    for (int k = 0; k < count; ++k) {
      auto const& best = chosen(model, text, positions);
      for (int n = 0; n < batch; ++n) {
        written(k, n) = static_cast<int>(best(0, count + k, n));
        if (k + 1 < count) text(count + 1 + k, n) = written(k, n);
      }
    }
    for (int n = 0; n < batch; ++n, ++asked) {
      right += std::equal(&written(0, n), &written(0, n) + count, &answer(0, n));
      if (asked >= 3) continue;
      for (int k = 0; k < count; ++k) std::printf("%d ", text(k, n));
      std::printf("->");
      for (int k = 0; k < count; ++k) std::printf(" %d", written(k, n));
      std::printf("\n");
    }
  }
  double const accuracy = 100.0 * right / asked;
  std::printf("accuracy           %.2f %% of %d unseen questions sorted without a mistake\n", accuracy, asked);
  return {step.value(), accuracy >= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "04_transformer",
                      .about = "A small transformer learns to sort digits.",
                      .steps = 1500,
                      .bound = 98,
                      .measure = "percent of unseen questions that must be answered without a mistake"},
                     teach);
}
