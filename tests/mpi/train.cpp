// train: a training on one rank or several, for run.sh: train FOLDER STEPS [whole] [resume] [kill RANK STEP]
// [throw RANK STEP] [other]. With `whole` one process has the batch of four; with `kill` or `throw` the rank kills
// itself, or throws, in that step; with `other` the last rank has another program. Writes FOLDER/last.npz, the
// parameters. train compare A.npz B.npz STEPS GRADIENT compares two such files.
#include <etch/etch.hpp>
#include <etch/io/program_hash.hpp>
#include <etch/mpi.hpp>

#include <csignal>
#include <cmath>
#include <cstring>
#include <memory>

namespace {

using namespace etch;

constexpr int examples = 1000, batch = 24;
constexpr double rate = 0.05;

template <class T>
struct network {
  nn::dense<T, 5, 16> hidden;
  nn::dense<T, 16, 3> output;
  ETCH_MEMBERS(network, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
using model = network<float>;

struct state {
  model parameters, momentum;
  std::int64_t step = 0;
  ETCH_MEMBERS(state, parameters, momentum, step)
};

constexpr auto loss = [](auto m, auto x, auto y) { return nn::mse(m(x), y); };
constexpr auto other_loss = [](auto m, auto x, auto y) { return nn::mse(m(x), y) + 0.1f * squared_norm(m); };

/// Example i: points and a smooth function of them.
void example(std::int64_t i, float* x, float* y) {
  nn::generator random(77, static_cast<std::uint64_t>(i));
  for (int k = 0; k < 5; ++k) x[k] = static_cast<float>(random.uniform(-1, 1));
  for (int k = 0; k < 3; ++k) y[k] = std::sin(3 * x[k]) * x[k + 1] + 0.5f * x[k + 2];
}

struct options {
  std::string folder;
  std::int64_t steps = 0, killed_at = -1;
  int killed = -1;
  bool throws = false, whole = false, resume = false, other = false;
};

template <int Batch>
int train(mpi::communicator& ranks, options const& o) {
  auto x = std::make_unique<tensor<float, 5, Batch>>();
  auto y = std::make_unique<tensor<float, 3, Batch>>();
  state s;
  nn::init::glorot_uniform(s.parameters, static_cast<std::uint64_t>(1 + ranks.rank()));
  mpi::broadcast(ranks, s.parameters);
  auto step = compile<wrt<0>>(loss, s.parameters, *x, *y);
  // The batch of a rank is no part of what a run is: a checkpoint belongs to the loss.
  constexpr std::uint64_t program = io::program_hash(loss, model{}, tensor<float, 5, 1>{}, tensor<float, 3, 1>{});
  constexpr std::uint64_t other = io::program_hash(other_loss, model{}, tensor<float, 5, 1>{}, tensor<float, 3, 1>{});
  mpi::same_program(ranks, o.other && ranks.rank() == ranks.size() - 1 ? other : program);

  std::string const checkpoint = o.folder + "/checkpoint.npz";
  if (o.resume && !mpi::load_checkpoint(ranks, checkpoint, s, program)) error::raise("there is no checkpoint");
  std::int64_t const first = s.step;
  mpi::shard const mine(examples, Batch, ranks.rank(), ranks.size(), 4);
  model gradient;
  double largest = 0;
  for (; s.step < o.steps; ++s.step) {
    if (ranks.rank() == o.killed && s.step == o.killed_at) {
      if (o.throws) error::raise("a fault of this rank");
      std::raise(SIGKILL);
    }
    for (int k = 0; k < Batch; ++k) example(mine(s.step, k), &(*x)(0, k), &(*y)(0, k));
    step(s.parameters, *x, *y, into(gradient));
    mpi::all_reduce_mean(ranks, gradient);
    visit_leaves(
        [&](auto const& g) {
          for (float each : g) largest = std::max(largest, std::abs(static_cast<double>(each)));
        },
        gradient);
    visit_leaves(
        [](auto& w, auto& v, auto const& g) {
          for (std::size_t i = 0; i < w.size(); ++i) v[i] = 0.5f * v[i] + g[i], w[i] -= static_cast<float>(rate) * v[i];
        },
        s.parameters, s.momentum, gradient);
    if ((s.step + 1) % 10 == 0) {
      state next = s;
      ++next.step;
      mpi::save_checkpoint(ranks, checkpoint, next, program);
    }
  }
  mpi::same_numbers(ranks, s);
  if (ranks.is_root()) {
    io::save_npz(o.folder + "/last.npz", s.parameters, program);
    std::printf("steps %lld to %lld, largest gradient %.3g\n", static_cast<long long>(first),
                static_cast<long long>(s.step), largest);
  }
  return 0;
}

/// The largest difference between the parameters in two files, and its bound after so many steps.
int compare(char const* a, char const* b, double steps, double largest) {
  model x, y;
  io::load_npz(a, x);
  io::load_npz(b, y);
  double difference = 0;
  visit_leaves(
      [&](auto const& u, auto const& v) {
        for (std::size_t i = 0; i < u.size(); ++i)
          difference = std::max(difference, std::abs(static_cast<double>(u[i]) - static_cast<double>(v[i])));
      },
      x, y);
  // An entry of a gradient is a mean over 4 batch examples and 3 outputs. Sums in two orders differ by at most twice n
  // u times the mean of magnitudes, u = 2^-24; momentum 1/2 doubles what a step does to the parameters. The mean of
  // magnitudes is taken as 4 times the largest entry of any gradient.
  double const n = 4 * batch * 3, bound = steps * 2 * rate * 2 * n * 0x1p-24 * 4 * largest;
  std::printf("largest difference %.3g, bound %.3g\n", difference, bound);
  return difference > 0 && difference <= bound ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6 && std::strcmp(argv[1], "compare") == 0)
    return compare(argv[2], argv[3], std::atof(argv[4]), std::atof(argv[5]));
  options o{.folder = argv[1], .steps = std::atoll(argv[2])};
  for (int i = 3; i < argc; ++i) {
    std::string const word = argv[i];
    o.whole = o.whole || word == "whole";
    o.resume = o.resume || word == "resume";
    o.other = o.other || word == "other";
    o.throws = o.throws || word == "throw";
    if (word == "kill" || word == "throw") o.killed = std::atoi(argv[i + 1]), o.killed_at = std::atoll(argv[i + 2]);
  }
  return mpi::run(argc, argv, [&](mpi::communicator& ranks) {
    return o.whole ? train<4 * batch>(ranks, o) : train<batch>(ranks, o);
  });
}
