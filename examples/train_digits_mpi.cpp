// train_digits_mpi: the network of train_digits on several processes, each with a part of every batch: mpirun -n 4
// train_digits_mpi. Parameters are those of one process with four times the batch, but for rounding.
#include <etch/etch.hpp>
#include <etch/io/program_hash.hpp>
#include <etch/mpi.hpp>

#include "images.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

namespace {

using etch::io::labelled_images;
using clock = std::chrono::steady_clock;
namespace mpi = etch::mpi;

constexpr int pixels = 784, hidden_units = 32, classes = 10;

template <class T>
struct mlp {
  etch::nn::dense<T, pixels, hidden_units> hidden;
  etch::nn::dense<T, hidden_units, classes> output;
  ETCH_MEMBERS(mlp, hidden, output)

  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
using model = mlp<float>;

constexpr auto loss = [](auto m, auto x, auto labels) { return etch::nn::softmax_cross_entropy(m(x), labels); };
constexpr auto classify = [](auto m, auto x) { return m(x); };
// Of the loss on one example: a checkpoint fits any number of ranks, whatever their batch.
constexpr std::uint64_t program =
    etch::io::program_hash(loss, model{}, etch::tensor<float, pixels, 1>{}, etch::tensor<int, 1>{});

/// The contents of a checkpoint.
struct state {
  model parameters, velocity;
  std::int64_t step = 0;
  ETCH_MEMBERS(state, parameters, velocity, step)
};

struct mpi_options : options {
  int batch = 32;
  std::int64_t checkpoint_every = 50;
  std::string checkpoint, save, compare;
  bool resume = false;
  double bound = 1e-3;
};

/// An optimiser for each member, so that one can be updated while the means of another are under way.
template <int Batch>
struct learner {
  state now;
  model gradient;
  etch::optim::sgd<etch::nn::dense<float, pixels, hidden_units>> hidden;
  etch::optim::sgd<etch::nn::dense<float, hidden_units, classes>> output;
  etch::tensor<float, pixels, Batch> x;
  etch::tensor<int, Batch> labels;
  decltype(etch::compile<etch::wrt<0>>(loss, gradient, x, labels)) step =
      etch::compile<etch::wrt<0>>(loss, gradient, x, labels);
  decltype(etch::compile<etch::wrt<>>(classify, gradient, x)) logits =
      etch::compile<etch::wrt<>>(classify, gradient, x);
};

struct outcome {
  double loss = 0;                           ///< of this rank's part of the last batch
  double gradients = 0, means = 0, all = 0;  ///< seconds
  std::int64_t steps = 0;
};

template <int Batch>
outcome train(mpi::communicator& ranks, learner<Batch>& net, labelled_images const& set, mpi_options const& o) {
  mpi::shard const mine(set.count, Batch, ranks.rank(), ranks.size(), o.seed);
  std::int64_t const total = o.epochs * mine.steps();
  progress shown(o.epochs, static_cast<int>(mine.steps()), Batch * ranks.size());
  outcome result;
  auto const seconds = [](clock::duration d) { return std::chrono::duration<double>(d).count(); };
  auto const start = clock::now();
  for (; net.now.step < total; ++result.steps) {
    for (int i = 0; i < Batch; ++i)
      images::load(set, static_cast<std::uint32_t>(mine(net.now.step, i)), net.x, net.labels, i);
    auto const before = clock::now();
    // The means of the last layer's gradients are under way while the first layer's are computed.
    auto means = mpi::mean_of(ranks, net.gradient);
    result.loss = net.step(net.now.parameters, net.x, net.labels, etch::into(net.gradient).as_ready(means));
    auto const computed = clock::now();
    net.hidden.learning_rate = net.output.learning_rate =
        o.lr * (1 - static_cast<double>(net.now.step) / static_cast<double>(total));
    means.template wait<0>();
    net.hidden.update(net.now.parameters.hidden, net.gradient.hidden);
    means.template wait<1>();
    net.output.update(net.now.parameters.output, net.gradient.output);
    result.gradients += seconds(computed - before);
    result.means += seconds(clock::now() - computed);
    ++net.now.step;
    if (!o.checkpoint.empty() && net.now.step % o.checkpoint_every == 0) {
      net.now.velocity.hidden = net.hidden.velocity;
      net.now.velocity.output = net.output.velocity;
      mpi::save_checkpoint(ranks, o.checkpoint, net.now, program);
    }
    shown.step(result.loss);
  }
  result.all = seconds(clock::now() - start);
  mpi::same_numbers(ranks, net.now.parameters);
  return result;
}

/// The largest difference of two models' parameters.
double difference(model const& a, model const& b) {
  double largest = 0;
  etch::visit_leaves(
      [&](auto const& x, auto const& y) {
        for (std::size_t i = 0; i < x.size(); ++i)
          largest = std::max(largest, std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
      },
      a, b);
  return largest;
}

template <int Batch>
int run(mpi::communicator& ranks, mpi_options const& o) {
  auto const net = std::make_unique<learner<Batch>>();
  mnist::data_set set;
  ranks.together([&] { set = images::read_or_draw(o.data, Batch); });
  net->hidden.momentum = net->output.momentum = 0.9;
  mpi::same_program(ranks, program);
  etch::nn::init::glorot_uniform(net->now.parameters, o.seed);
  mpi::broadcast(ranks, net->now.parameters);
  if (o.resume && mpi::load_checkpoint(ranks, o.checkpoint, net->now, program)) {
    net->hidden.velocity = net->now.velocity.hidden;
    net->output.velocity = net->now.velocity.output;
    std::printf("goes on after step %lld\n", static_cast<long long>(net->now.step));
  }
  outcome const trained = train(ranks, *net, set.train, o);
  if (!ranks.is_root()) return 0;

  double const percentage = images::accuracy(
      set.test, net->x, net->labels, [&](auto const& x) -> auto const& { return net->logits(net->now.parameters, x); });
  double const steps = static_cast<double>(std::max<std::int64_t>(trained.steps, 1));
  std::printf("test accuracy      %.2f %%\n", percentage);
  std::printf("batch              %d, %d on each of %d ranks\n", Batch * ranks.size(), Batch, ranks.size());
  std::printf("time per step      %.1f us: %.1f for the gradient, %.1f for means and update\n",
              1e6 * trained.all / steps, 1e6 * trained.gradients / steps, 1e6 * trained.means / steps);
  if (!o.save.empty()) etch::io::save_npz(o.save, net->now.parameters, program);
  double apart = 0;
  if (!o.compare.empty()) {
    model other;
    etch::io::load_npz(o.compare, other, program);
    apart = difference(net->now.parameters, other);
    std::printf("parameters differ  by %.3g at most from those in %s\n", apart, o.compare.c_str());
  }
  return report::judge("train_digits_mpi",
                       {{std::isfinite(trained.loss), "the loss is not finite; try a smaller --lr"},
                        {percentage >= o.require_accuracy, "the accuracy is below the one required"},
                        {apart <= o.bound, "the parameters differ by more than --bound"}});
}

mpi_options parse_all(CLI::App& app, int argc, char** argv) {
  mpi_options o;
  app.add_option("--batch", o.batch, "images on each rank in a step")
      ->check(CLI::IsMember({32, 128}))
      ->capture_default_str();
  CLI::Option* const checkpoint = app.add_option("--checkpoint", o.checkpoint, "file for the state of the training");
  app.add_option("--checkpoint-every", o.checkpoint_every, "steps between checkpoints")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--resume", o.resume, "go on from the checkpoint, if there is one")->needs(checkpoint);
  app.add_option("--save", o.save, "file for the parameters, .npz");
  app.add_option("--compare", o.compare, "file with parameters to compare with");
  app.add_option("--bound", o.bound, "the largest difference that passes")->capture_default_str();
  o.lr = 0.1;
  static_cast<options&>(o) = parse(app, argc, argv, o);
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  report::keep_output_off_the_heap();
  CLI::App app{"Trains a small network to read digits on all processes that mpirun starts."};
  mpi_options o;
  try {
    o = parse_all(app, argc, argv);
  } catch (CLI::ParseError const& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "train_digits_mpi: %s (see --help)\n", e.what());
    return 2;
  }
  return mpi::run(argc, argv, [&](mpi::communicator& ranks) {
    if (!ranks.is_root() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    return o.batch == 32 ? run<32>(ranks, o) : run<128>(ranks, o);
  });
}
