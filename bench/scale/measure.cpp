// measure: the figures that predictions in docs/scale.md are made of, and those that they are compared with. With
// `messages`, on 2 ranks: times of messages between them. Without, on any number: least times of the parts of a step.
// Prints a line `name number` each.
#include <etch/etch.hpp>
#include <etch/mpi.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace {

namespace mpi = etch::mpi;
using clock = std::chrono::steady_clock;

template <class T>
struct digits {
  etch::nn::dense<T, 784, 32> hidden;
  etch::nn::dense<T, 32, 10> output;
  ETCH_MEMBERS(digits, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
template <class T>
struct wide {
  etch::nn::dense<T, 784, 512> first;
  etch::nn::dense<T, 512, 512> second;
  etch::nn::dense<T, 512, 10> output;
  ETCH_MEMBERS(wide, first, second, output)
  constexpr auto operator()(auto x) const { return output(tanh(second(tanh(first(x))))); }
};

constexpr auto loss = [](auto m, auto x, auto labels) { return etch::nn::softmax_cross_entropy(m(x), labels); };

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

/// The least over `rounds` of the time that the slowest rank takes for `f`.
double least(mpi::communicator& ranks, int rounds, auto f) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    ranks.barrier();
    auto const start = clock::now();
    f();
    double here = seconds_since(start), slowest = 0;
    mpi::detail::check(MPI_Allreduce(&here, &slowest, 1, MPI_DOUBLE, MPI_MAX, ranks.handle()), "MPI_Allreduce");
    best = std::min(best, slowest);
  }
  return best;
}

void ping_pong(mpi::communicator& ranks) {
  for (int bytes = 8; bytes <= 1 << 23; bytes *= 8) {
    std::vector<char> message(static_cast<std::size_t>(bytes));
    int const rounds = bytes < 100000 ? 2000 : 60;
    double best = 1e9;
    for (int i = 0; i < rounds; ++i) {
      auto const start = clock::now();
      for (int sender : {0, 1}) {
        if (ranks.rank() == sender) MPI_Send(message.data(), bytes, MPI_CHAR, 1 - sender, 0, ranks.handle());
        else MPI_Recv(message.data(), bytes, MPI_CHAR, sender, 0, ranks.handle(), MPI_STATUS_IGNORE);
      }
      best = std::min(best, seconds_since(start) / 2);
    }
    if (ranks.is_root()) std::printf("message.%d %.9g\n", bytes, best);
  }
  // The other half of what a sum over ranks does with a byte.
  std::vector<float> a(1 << 20, 1.0f), b(1 << 20, 2.0f);
  double const sum = least(ranks, 50, [&] {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    asm volatile("" : : "r"(a.data()) : "memory");
  });
  if (ranks.is_root()) std::printf("seconds_per_summed_byte %.9g\n", sum / 4 / static_cast<double>(a.size()));
}

template <class Model, int Batch>
void step_of(mpi::communicator& ranks, char const* name) {
  struct all {
    Model model, gradient;
    etch::optim::sgd<Model> sgd;
    etch::tensor<float, 784, Batch> x;
    etch::tensor<int, Batch> labels;
    decltype(etch::compile<etch::wrt<0>>(loss, model, x, labels)) step;
  };
  auto const net = std::make_unique<all>();
  etch::nn::init::glorot_uniform(net->model, 1);
  for (std::size_t i = 0; i < net->x.size(); ++i) net->x[i] = static_cast<float>(i * 7919 % 256) / 255;
  constexpr etch::program_facts facts = decltype(all::step)::facts;
  std::size_t bytes = 0, leaves = 0;
  etch::visit_leaves([&](auto const& leaf) { bytes += leaf.size() * sizeof(float), ++leaves; }, net->gradient);

  int const rounds = facts.flops > 50000000 ? 150 : 1500;
  auto const compute = [&] {
    net->step(net->model, net->x, net->labels, etch::into(net->gradient));
    net->sgd.update(net->model, net->gradient);
  };
  double const computed = least(ranks, rounds, compute);
  double const reduced = least(ranks, rounds, [&] { mpi::all_reduce_mean(ranks, net->gradient); });
  double const started = least(ranks, rounds, [&] { mpi::start_mean(ranks, net->gradient).wait(); });
  double const together = least(ranks, rounds, [&] {
    net->step(net->model, net->x, net->labels, etch::into(net->gradient));
    mpi::all_reduce_mean(ranks, net->gradient);
    net->sgd.update(net->model, net->gradient);
  });
  if (!ranks.is_root()) return;
  std::printf("%s.flops %lld\n%s.gradient_bytes %zu\n%s.leaves %zu\n", name, static_cast<long long>(facts.flops), name,
              bytes, name, leaves);
  std::printf("%s.leaf_bytes", name);
  etch::visit_leaves([&](auto const& leaf) { std::printf(" %zu", leaf.size() * sizeof(float)); }, net->gradient);
  std::printf("\n%s.compute %.9g\n%s.mean %.9g\n%s.started %.9g\n%s.step %.9g\n", name, computed, name, reduced, name,
              started, name, together);
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [&](mpi::communicator& ranks) {
    if (argc == 2 && std::strcmp(argv[1], "messages") == 0) {
      if (ranks.size() != 2) etch::error::raise("messages are sent between 2 ranks");
      ping_pong(ranks);
    } else {
      step_of<digits<float>, 128>(ranks, "digits");
      step_of<wide<float>, 128>(ranks, "wide");
    }
    return 0;
  });
}
