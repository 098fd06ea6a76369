// Lesson 2: a recurrent network. An LSTM of two layers reads a text letter by letter and learns which letter
// comes next; then it writes. Its state goes on from one chunk of text to the next, gradients do not
// (truncated backpropagation through time).
#include <etch/etch.hpp>

#include "lesson.hpp"
#include "writing.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace nn = etch::nn;

using writing::letters, writing::letter_of, writing::character_of;
constexpr int width = 16, hidden = 64, batch = 8, chunk = 32;

template <class T>
struct author {
  nn::embedding<T, letters, width> meaning;
  nn::lstm_cell<T, width, hidden> lower;
  nn::lstm_cell<T, hidden, hidden> upper;
  nn::dense<T, hidden, letters> next;
  ETCH_MEMBERS(author, meaning, lower, upper, next)

  /// Logits for the letter after each, and the state at the end, of `text` [streams, time]. A state is h and c
  /// of both layers, one below the other.
  constexpr auto operator()(auto const& state, auto const& text) const {
    auto const [h1, c1, h2, c2] = etch::split<0, 4>(state);
    auto const below = nn::unroll(lower, std::tuple(h1, c1), meaning(text));
    auto const above = nn::unroll(upper, std::tuple(h2, c2), below.y);
    auto const [h3, c3] = below.carry;
    auto const [h4, c4] = above.carry;
    return std::tuple(next(above.y), concat<0>(h3, c3, h4, c4));
  }
};

// The value, whose gradient is wanted, and the state at the end.
constexpr auto loss = [](auto model, auto state, auto text, auto following) {
  auto const [logits, reached] = model(state, text);
  return std::tuple(nn::softmax_cross_entropy(logits, following), reached);
};
// One letter of one stream, for writing: logits and the next state.
constexpr auto read_letter = [](auto model, auto state, auto letter) { return model(state, letter); };

author<float> model, gradient;
etch::optim::adam<author<float>> adam;
etch::tensor<float, 4 * hidden, batch> state;
etch::tensor<int, batch, chunk> text, following;
etch::tensor<float, 4 * hidden, 1> mind;
etch::tensor<int, 1, 1> letter;
constinit auto step = etch::compile(loss, model, state, text, following);
constinit auto think = etch::compile<etch::wrt<>>(read_letter, model, mind, letter);

/// Bits for a letter of `all` for whoever knows how often each occurs, but not what came before.
double bits_without_context(std::string const& all) {
  std::array<double, letters> count{};
  for (char const c : all) ++count[static_cast<std::size_t>(letter_of(c))];
  double bits = 0;
  for (double const n : count)
    if (n > 0) bits -= n / static_cast<double>(all.size()) * std::log2(n / static_cast<double>(all.size()));
  return bits;
}

/// Writes `count` letters after `first`, from the state in `mind` on: each drawn by the probabilities
/// of the model, sharpened a little.
void write(int count, int first) {
  nn::generator random(7);
  letter(0, 0) = first;
  for (int i = 0; i < count; ++i) {
    std::putchar(character_of(letter(0, 0)));
    auto const& answer = think(model, mind, letter);
    mind = think.result<1>();
    double likelihood[letters], total = 0;
    for (int l = 0; l < letters; ++l) total += likelihood[l] = std::exp(1.5 * static_cast<double>(answer(l, 0, 0)));
    int drawn = 0;
    for (double rest = random.uniform(0, total); drawn + 1 < letters && rest >= likelihood[drawn]; ++drawn)
      rest -= likelihood[drawn];
    letter(0, 0) = drawn;
  }
  std::putchar('\n');
}

lesson::outcome teach(lesson::settings const& s) {
  std::string const all = s.path ? writing::read(*s.path, chunk) : writing::this_is_the_house();
  nn::init::glorot_uniform(model, 1);
  etch::optim::cosine_decay const rate{0.01, 0.0005, s.steps};

  // Every stream goes round the whole text, each from its own begin.
  auto const letter_at = [&](int stream, int position) {
    return letter_of(
        all[(all.size() * static_cast<std::size_t>(stream) / batch + static_cast<std::size_t>(position)) % all.size()]);
  };
  double bits = 0;  // for a letter, lately
  long const before = heap::count();
  for (int i = 0; i < s.steps; ++i) {
    for (int b = 0; b < batch; ++b)
      for (int t = 0; t < chunk; ++t) {
        text(b, t) = letter_at(b, i * chunk + t);
        following(b, t) = letter_at(b, i * chunk + t + 1);
      }
    double const value = step(model, state, text, following, etch::into(gradient));
    state = step.result<1>();
    bits = i == 0 ? value * std::numbers::log2e : 0.9 * bits + 0.1 * value * std::numbers::log2e;
    etch::optim::clip_by_norm(gradient, 1);
    adam.learning_rate = rate(i);
    adam.update(model, gradient);
    if ((i + 1) * 10 / s.steps > i * 10 / s.steps) std::printf("step %5d: %.3f bits a letter\n", i + 1, bits);
  }
  long const allocations = heap::count() - before;

  double const known = bits_without_context(all);
  std::printf("without knowing what came before it would be %.3f bits\n\nIt goes on where the first stream stopped:\n",
              known);
  std::copy_n(state.begin(), 4 * hidden, mind.begin());
  write(400, letter_at(0, s.steps * chunk));
  return {bits, bits <= s.bound * known, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(
      argc, argv,
      {.name = "02_characters",
       .about = "A recurrent network learns a text by heart, and writes another.",
       .steps = 1000,
       .bound = 0.75,
       .measure = "bits for a letter at the end, at most, as a part of those that its frequency alone takes",
       .path_as = {"--text", "FILE", "what to read; without it, a nursery rhyme"}},
      teach);
}
