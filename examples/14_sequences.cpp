// Lesson 14: sequences of different lengths in one batch. A GRU reads numbers in binary, digit by digit, and
// tells what is left when they are divided by three. A batch takes as many steps as its longest number has
// digits, which is known when it is drawn: a step of the whole batch is a compiled program and one entry of a
// tape. Whose number has ended waits.
#include <etch/etch.hpp>

#include "lesson.hpp"

#include <algorithm>

namespace {

namespace nn = etch::nn;

constexpr int hidden = 24, batch = 64, divisor = 3, most_digits = 48;

template <class T>
struct divider {
  nn::gru_cell<T, 2, hidden> cell;
  nn::dense<T, hidden, divisor> answer;
  ETCH_MEMBERS(divider, cell, answer)
};

/// A batch of numbers: their digits one-hot, and 1 where a number has a digit at all, step by step.
struct numbers {
  std::array<etch::tensor<float, 2, batch>, most_digits> digits;
  std::array<etch::tensor<float, 1, batch>, most_digits> lasts;
  etch::tensor<int, batch> rest;
  int longest = 0;
  long digits_of_all = 0;

  /// Draws a number of `fewest` to `most` digits for each sample of the batch.
  void draw(std::uint64_t from, int fewest, int most) {
    for (auto& each : digits) each.fill(0);
    for (auto& each : lasts) each.fill(0);
    longest = 0, digits_of_all = 0;
    for (int n = 0; n < batch; ++n) {
      nn::generator random(14, from + static_cast<std::uint64_t>(n));
      int const length = fewest + static_cast<int>(random.below(static_cast<std::uint32_t>(most - fewest + 1)));
      int remainder = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
        int const digit = static_cast<int>(random.below(2));
        digits[i](digit, n) = 1, lasts[i](0, n) = 1;
        remainder = (2 * remainder + digit) % divisor;
      }
      rest(n) = remainder;
      longest = std::max(longest, length), digits_of_all += length;
    }
  }
};

// The programs of the tape's entries.
constexpr auto read_digit = [](auto cell, auto h, auto digit, auto lasts) {
  return h + cwise_product(lasts, cell(h, digit) - h);
};
constexpr auto answer = [](auto layer, auto h, auto rest) {
  auto const odds = layer(h);
  return std::tuple(nn::softmax_cross_entropy(odds, rest), odds);
};

using on_tape = divider<etch::taped<float>>;
etch::tape<float> t;
numbers drawn;
divider<float> model;
etch::optim::adam<divider<float>> adam;

/// The loss, and the logarithms of the odds of each answer.
auto read(on_tape const& m, numbers const& of) {
  etch::var<float, hidden, batch> h = t.constant(etch::tensor<float, hidden, batch>{});
  for (std::size_t i = 0; i < static_cast<std::size_t>(of.longest); ++i)
    h = t.apply(read_digit, m.cell, h, of.digits[i], of.lasts[i]);
  return t.apply(answer, m.answer, h, of.rest);
}

/// How many of 16 batches of unseen numbers are divided rightly, in percent.
double accuracy(int fewest, int most) {
  int right = 0;
  for (std::uint64_t round = 0; round < 16; ++round) {
    drawn.draw((std::uint64_t{1} << 40) + round * batch, fewest, most);
    t.reset();
    auto const odds = std::get<1>(read(t.watch(model), drawn));
    for (int n = 0; n < batch; ++n) {
      float const* const column = &value(odds)(0, n);
      right += std::max_element(column, column + divisor) - column == drawn.rest(n);
    }
  }
  return 100.0 * right / (16 * batch);
}

lesson::outcome teach(lesson::settings const& s) {
  constexpr int longest_at_first = 4, longest = 20;
  nn::init::glorot_uniform(model, 1);
  etch::optim::cosine_decay const rate{0.01, 0, s.steps};

  double loss = 0;
  long steps = 0, digits = 0, before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    if (i == s.steps * 3 / 4) before = heap::count();  // by now it has read numbers of all lengths
    // Short numbers first: the longest grow to their full length in the first half.
    int const most = std::min(longest, longest_at_first + (longest - longest_at_first) * 2 * i / s.steps);
    drawn.draw(static_cast<std::uint64_t>(i) * batch, 1, most);
    t.reset();
    auto const m = t.watch(model);
    loss = t.backward(std::get<0>(read(m, drawn)));
    adam.learning_rate = rate(i);
    adam.update(model, t.grad(m));
    steps += drawn.longest, digits += drawn.digits_of_all;
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps)
      std::printf("step %4d: loss %.4f, numbers of up to %d digits\n", i + 1, loss, drawn.longest);
  }
  long const allocations = heap::count() - before;

  std::printf("entries            %.1f a batch on average; %.0f %% of their columns were digits\n",
              static_cast<double>(steps) / s.steps,
              100. * static_cast<double>(digits) / (static_cast<double>(steps) * batch));
  double const known = accuracy(1, longest), beyond = accuracy(longest + 1, 2 * longest);
  std::printf(
      "accuracy           %.2f %% of unseen numbers of up to %d digits, %.2f %% of longer ones of up to %d; chance has "
      "%.2f %%\n",
      known, longest, beyond, 2 * longest, 100. / divisor);
  return {loss, known >= s.bound, t, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "14_sequences",
                      .about = "A recurrent network divides numbers of any length by three.",
                      .steps = 800,
                      .bound = 99,
                      .measure = "percent of unseen numbers that must be divided rightly"},
                     teach);
}
