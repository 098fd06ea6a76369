// Lesson 12: a network whose shape is that of its input. Sentences of logic, such as ((true and not false) xor true),
// are trees of any form; a recursive network (R. Socher et al., ICML 2011) reads one by walking through it, with one
// compiled program at each branch, and learns what the words mean from nothing but whether whole sentences are true.
#include <etch/etch.hpp>

#include "lesson.hpp"

namespace {

namespace nn = etch::nn;

constexpr int hidden = 16, batch = 32, most_words = 64;

/// Words as they stand in a sentence that is written without brackets, operators first.
enum word : int { yes, no, negation, conjunction, disjunction, difference, words };
struct sentence {
  word text[most_words];
  int length = 0;
};

/// Draws a sentence with `operators` binary operators. Whether it is true.
bool draw(nn::generator& random, int operators, sentence& to) {
  if (to.length < most_words - 2 * operators - 2 && random.uniform() < 0.2) {
    to.text[to.length++] = negation;
    return !draw(random, operators, to);
  }
  if (operators == 0) {
    bool const truth = random.below(2) == 0;
    to.text[to.length++] = truth ? yes : no;
    return truth;
  }
  word const op = static_cast<word>(conjunction + static_cast<int>(random.below(3)));
  int const on_the_left = static_cast<int>(random.below(static_cast<std::uint32_t>(operators)));
  to.text[to.length++] = op;
  bool const a = draw(random, on_the_left, to), b = draw(random, operators - 1 - on_the_left, to);
  return op == conjunction ? a && b : op == disjunction ? a || b : a != b;
}

/// The meaning of `true` or `false`.
template <class T>
struct meaning {
  etch::param<T, hidden> vector;
  ETCH_MEMBERS(meaning, vector)

  constexpr void initialise(auto const& draw) { draw(vector, hidden, hidden); }
};
/// The meaning that an operator gives its two parts.
template <class T>
struct composition {
  nn::dense<T, hidden, hidden> left, right, both;
  ETCH_MEMBERS(composition, left, right, both)

  constexpr auto operator()(auto const& a, auto const& b) const { return tanh(both(tanh(left(a) + right(b)))); }
};
template <class T>
struct reader {
  std::array<meaning<T>, 2> constant;
  nn::dense<T, hidden, hidden> negation;
  std::array<composition<T>, 3> binary;
  nn::dense<T, hidden, 1> verdict;
  ETCH_MEMBERS(reader, constant, negation, binary, verdict)
};

// The programs of the tape's entries.
constexpr auto negate = [](auto layer, auto a) { return tanh(layer(a)); };
constexpr auto compose = [](auto cell, auto a, auto b) { return cell(a, b); };
constexpr auto judge = [](auto layer, auto a) { return layer(a)(0); };

using on_tape = reader<etch::taped<float>>;
etch::tape<float> t;

/// The meaning of what stands at `position`, which then is the one behind it.
etch::var<float, hidden> read(on_tape const& m, sentence const& s, int& position) {
  word const w = s.text[position++];
  if (w == yes || w == no) return m.constant[static_cast<std::size_t>(w)].vector;
  etch::var<float, hidden> const a = read(m, s, position);
  if (w == negation) return t.apply(negate, m.negation, a);
  etch::var<float, hidden> const b = read(m, s, position);
  return t.apply(compose, m.binary[static_cast<std::size_t>(w - conjunction)], a, b);
}
/// The logarithm of the odds that a sentence is true.
etch::var<float> read(on_tape const& m, sentence const& s) {
  int position = 0;
  return t.apply(judge, m.verdict, read(m, s, position));
}

reader<float> model;
etch::optim::adam<reader<float>> adam;

/// Takes a step from a batch of sentences with up to `operators` binary operators. Its loss.
double learn(std::uint64_t from, std::uint32_t operators) {
  t.reset();
  auto const m = t.watch(model);
  etch::var<float> loss;
  for (std::uint64_t n = 0; n < batch; ++n) {
    nn::generator random(12, from + n);
    sentence s;
    bool const truth = draw(random, static_cast<int>(random.below(operators + 1)), s);
    loss += softplus((truth ? -1.f : 1.f) * read(m, s));  // -log of the probability of what is the case
  }
  double const value = t.backward(loss / float{batch});
  adam.update(model, t.grad(m));
  return value;
}

lesson::outcome teach(lesson::settings const& s) {
  constexpr std::uint32_t most_operators = 8;
  nn::init::glorot_uniform(model, 1);
  etch::optim::cosine_decay const rate{0.005, 0, s.steps};
  long before = heap::count();
  double value = 0;
  for (int i = 0; i < s.steps; ++i) {
    if (i == s.steps / 2) before = heap::count();  // by now the tape has had as much on it as it will
    adam.learning_rate = rate(i);
    value = learn(static_cast<std::uint64_t>(i) * batch, most_operators);
    if ((i + 1) * 8 / s.steps > i * 8 / s.steps) std::printf("step %4d: loss %.4f\n", i + 1, value);
  }
  long const allocations = heap::count() - before;

  // Sentences longer than it has ever seen: of one operator more to twice as many.
  int right = 0;
  constexpr int asked = 1000;
  for (std::uint64_t n = 0; n < asked; ++n) {
    nn::generator random(12, (std::uint64_t{1} << 40) + n);
    sentence of;
    bool const truth = draw(random, static_cast<int>(most_operators + 1 + random.below(most_operators)), of);
    t.reset();
    right += (etch::value(read(t.watch(model), of)) > 0) == truth;
  }
  double const accuracy = 100.0 * right / asked;
  std::printf("accuracy           %.2f %% of %d sentences longer than any it has learned from\n", accuracy, asked);
  return {value, accuracy >= s.bound, t, allocations};
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::run(argc, argv,
                     {.name = "12_tree_network",
                      .about = "A recursive network learns to tell whether sentences of logic are true.",
                      .steps = 800,
                      .bound = 97,
                      .measure = "percent of longer sentences that must be judged rightly"},
                     teach);
}
