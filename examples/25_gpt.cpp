// Lesson 25: a small GPT. Four equal transformer blocks, compiled once and run as a loop, learn which character
// comes next in a text; then they write. Size and steps are nanoGPT's (github.com/karpathy/nanoGPT) for a CPU, where a
// character of Shakespeare's that it has not seen costs 1.88 nats in the end. It costs 1.75 here, with three times the
// learning rate.
#include <etch/etch.hpp>

#include "lesson.hpp"
#include "writing.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace {

namespace nn = etch::nn;
using writing::letters, writing::letter_of, writing::character_of;

constexpr int width = 128, heads = 4, layers = 4, length = 64, batch = 12;

template <class T>
struct gpt {
  nn::embedding<T, letters, width> meaning;
  etch::param<T, width, length> positions;
  nn::repeated<layers, nn::transformer_block<T, width, heads, 4 * width, nn::looks::back>> blocks;
  nn::layer_norm<T, width> norm;
  ETCH_MEMBERS(gpt, meaning, positions, blocks, norm)

  /// Logits [letters, length, batch] of what follows each letter of `text` [length, batch]. What a letter means is
  /// also how it is told from the others.
  constexpr auto operator()(auto const& text) const {
    return transpose(meaning.table) * norm(blocks(meaning(text) + positions));
  }
};

constexpr auto loss = [](auto model, auto text, auto following) {
  return nn::softmax_cross_entropy(model(text), following);
};
constexpr auto read_text = [](auto model, auto text) { return model(text); };

gpt<float> model, gradient;
etch::optim::adamw<gpt<float>> adamw;
etch::tensor<int, length, batch> text, following;
etch::tensor<int, length, 1> context;
constinit auto step = etch::compile(loss, model, text, following);
constinit auto judge = etch::compile<etch::wrt<>>(loss, model, text, following);
constinit auto think = etch::compile<etch::wrt<>>(read_text, model, context);

/// GPT-2's initial weights: of deviation 0.02, less where a block adds to what goes through all of them.
void initialise() {
  nn::generator random(1);
  auto const normal = [&](auto& weights, double deviation) {
    for (float& w : weights) w = static_cast<float>(deviation * random.normal());
  };
  nn::init::glorot_normal(model, 1);  // for gains and biases: 1 and 0
  normal(model.meaning.table, 0.02), normal(model.positions, 0.02);
  for (auto& block : model.blocks.layers) {
    auto& [query, key, value, output] = block.attention;
    for (auto* each : {&query, &key, &value}) normal(each->weight, 0.02);
    normal(block.wide.weight, 0.02);
    normal(output.weight, 0.02 / std::sqrt(2.0 * layers));
    normal(block.narrow.weight, 0.02 / std::sqrt(2.0 * layers));
  }
}

/// Fills the batch with stretches of characters `begin` to `end` of the text.
void draw(std::string const& all, std::size_t begin, std::size_t end, nn::generator& random) {
  for (int n = 0; n < batch; ++n) {
    std::size_t const from = begin + random.below(static_cast<std::uint32_t>(end - begin - length));
    for (int t = 0; t < length; ++t) {
      text(t, n) = letter_of(all[from + static_cast<std::size_t>(t)]);
      following(t, n) = letter_of(all[from + static_cast<std::size_t>(t) + 1]);
    }
  }
}

/// Writes `count` characters after an end of line, each drawn by the probabilities of the model.
void write(int count) {
  nn::generator random(7);
  context.fill(letters - 1);
  for (int i = 0, at = 0; i < count; ++i) {
    auto const& logits = think(model, context);
    std::array<double, letters> likelihood;
    double total = 0;
    for (int l = 0; l < letters; ++l)
      total += likelihood[static_cast<std::size_t>(l)] = std::exp(static_cast<double>(logits(l, at, 0)));
    int drawn = 0;
    for (double rest = random.uniform(0, total); drawn + 1 < letters; ++drawn)
      if ((rest -= likelihood[static_cast<std::size_t>(drawn)]) < 0) break;
    std::putchar(character_of(drawn));
    if (at + 1 == length) std::copy(context.begin() + 1, context.end(), context.begin());
    else ++at;
    context(at, 0) = drawn;
  }
  std::putchar('\n');
}

lesson::outcome teach(lesson::settings const& s) {
  constexpr std::size_t least = 10 * (length + 2);
  std::string const all = s.path ? writing::read(*s.path, least) : writing::this_is_the_house();
  std::size_t const seen = all.size() * 9 / 10;  // the rest is for the test
  initialise();
  nn::generator random(2);
  long const warming = s.steps / 20;
  etch::optim::warm_up const rate{warming, etch::optim::cosine_decay{0.003, 0.0001, s.steps - warming}};
  adamw.beta2 = 0.99;
  adamw.weight_decay = 0.1;

  auto const unseen = [&] {
    nn::generator same(3);
    double sum = 0;
    for (int i = 0; i < 20; ++i) {
      draw(all, seen, all.size(), same);
      sum += judge(model, text, following);
    }
    return sum / 20;
  };
  long const before = heap::count();
  double value = 0;
  for (int i = 0; i < s.steps; ++i) {
    draw(all, 0, seen, random);
    value = step(model, text, following, etch::into(gradient));
    etch::optim::clip_by_norm(gradient, 1);
    adamw.learning_rate = rate(i);
    adamw.update(model, gradient);
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps)
      std::printf("step %5d: loss %.3f, of what it has not seen %.3f\n", i + 1, value, unseen());
  }
  long const allocations = heap::count() - before;

  std::printf("It writes:\n");
  write(400);
  double const reached = unseen();
  return {value, reached <= s.bound, step.facts, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "25_gpt",
                      .about = "A small GPT learns a text, and writes.",
                      .steps = 2000,
                      .bound = 1.88,
                      .measure = "loss for a character of the last tenth of the text, in nats, at most",
                      .path_as = {"--text", "FILE", "what to read; without it, a nursery rhyme"}},
                     teach);
}
