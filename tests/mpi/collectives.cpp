// collectives: all that ranks do together is compared with closed forms, on any number of them. The one argument is a
// folder for files.
#include <etch/etch.hpp>
#include <etch/mpi.hpp>

#include <limits>

namespace {

using namespace etch;

template <class T>
struct layer {
  param<T, 3, 5> weight;
  param<T, 3> bias;
  ETCH_MEMBERS(layer, weight, bias)
};
struct model {
  layer<float> first;
  std::array<layer<double>, 2> second;
  tensor<int, 2> labels;
  tensor<bool, 3> flags;
  double number = 0;
  std::tuple<float, tensor<std::int64_t, 2>> others;
  ETCH_MEMBERS(model, first, second, labels, flags, number, others)
};

/// Entry i of leaf l on a rank.
template <class T>
T entry(std::size_t l, std::size_t i, int rank) {
  if constexpr (std::is_same_v<T, bool>) return (l + i + static_cast<std::size_t>(rank)) % 2 == 1;
  else return static_cast<T>(static_cast<double>(l) + 0.25 * static_cast<double>(i) + 8.0 * rank);
}
model filled(int rank) {
  model m;
  std::size_t l = 0;
  argument<model>::visit(m, [&]<class T>(T* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) x[i] = entry<T>(l, i, rank);
    ++l;
  });
  return m;
}

struct checks {
  int passed = 0, failed = 0;
  int rank = 0;
  void operator()(bool fact, char const* sentence) {
    fact ? ++passed : ++failed;
    if (!fact) std::printf("rank %d: not so: %s\n", rank, sentence);
  }
};

/// Whether the leaves are the means over ranks where `mean(leaf)`, and this rank's own elsewhere.
bool is_reduced(model const& m, int rank, int ranks, auto mean) {
  bool right = true;
  std::size_t l = 0;
  argument<model>::visit(m, [&]<class T>(T const* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        // 0 + 1 + ... + (ranks - 1) times 8, over ranks: exact in both types.
        T const expected = static_cast<T>(entry<T>(l, i, 0) + T(4) * static_cast<T>(ranks - 1));
        right = right && (!mean(l) || x[i] == expected);
      } else right = right && x[i] == entry<T>(l, i, rank);
    }
    ++l;
  });
  return right;
}

std::string text_of(auto f) {
  try {
    f();
  } catch (mpi::shared_exception const& e) {
    return e.what();
  }
  return {};
}

int all(mpi::communicator& ranks, std::string const& folder) {
  checks check{.rank = ranks.rank()};
  int const r = ranks.rank(), n = ranks.size();
  bool const several = n > 1;

  for (int root = 0; root < n; ++root) {
    model m = filled(r);
    mpi::broadcast(ranks, m, root);
    std::size_t l = 0;
    bool right = true;
    argument<model>::visit(m, [&]<class T>(T const* x, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) right = right && x[i] == entry<T>(l, i, root);
      ++l;
    });
    check(right, "broadcast gives every rank the root's model");
  }

  model m = filled(r);
  mpi::all_reduce_mean(ranks, m);
  check(is_reduced(m, r, n, [](std::size_t) { return true; }), "all_reduce_mean gives the means, and leaves integers");

  m = filled(r);
  {
    auto pending = mpi::start_mean(ranks, m);
    pending.wait<1>();
    check(is_reduced(m, r, n, [](std::size_t l) { return l >= 2 && l < 6; }),
          "a member is there when it was waited for");
    pending.wait<1>();
    pending.wait<0>();
    check(is_reduced(m, r, n, [](std::size_t l) { return l < 6; }), "and the one before it, and none is divided twice");
    pending.wait();
  }
  check(is_reduced(m, r, n, [](std::size_t) { return true; }), "and all of them");
  m = filled(r);
  {
    auto const left = mpi::start_mean(ranks, m);
  }  // its end waits, so that memory is not written to later

  std::tuple<tensor<double, 2>, float> pair{tensor<double, 2>(1.0 + r, 2.0), static_cast<float>(r)};
  auto pending = mpi::start_mean(ranks, pair);
  pending.wait<1>();
  check(std::get<1>(pair) == static_cast<float>(n - 1) / 2, "elements of a tuple are waited for");
  pending.wait<0>();
  check(std::get<0>(pair)(0) == 1 + (n - 1) / 2.0, "each by itself");

  // Leaves start one by one, in an order of the caller's: integers are none of them.
  m = filled(r);
  {
    auto means = mpi::mean_of(ranks, m);
    int floating = 0;
    argument<model>::visit(m, [&]<class T>(T*, std::size_t) { floating += std::is_floating_point_v<T>; });
    for (int k = floating; k-- > 0;) means(k);
    means(0);  // is under way already
    means.wait();
    means.wait();
    check(is_reduced(m, r, n, [](std::size_t) { return true; }), "means of leaves that were started one by one");
    bool refused = false;
    try {
      means(floating);
    } catch (etch::exception const&) {
      refused = true;
    }
    check(refused, "a leaf that is none of them is refused");
    m = filled(r);
    for (int k = 0; k < floating; ++k) means(k);
    means.wait();
  }
  check(is_reduced(m, r, n, [](std::size_t) { return true; }), "and the next step's by the same object");
  m = filled(r);
  {
    auto none = mpi::mean_of(ranks, m);
    none.wait();
  }
  check(is_reduced(m, r, n, [](std::size_t) { return false; }), "what was not started stays");

  double not_finite = r == 0 ? std::numeric_limits<double>::infinity() : 1;
  mpi::all_reduce_mean(ranks, not_finite);
  check(not_finite == std::numeric_limits<double>::infinity(), "an infinity arrives everywhere");

  check(text_of([&] { mpi::same_program(ranks, 5); }).empty(), "equal programs are equal");
  std::string const sentence = text_of([&] { mpi::same_program(ranks, r == n - 1 ? 6 : 5); });
  check(sentence == (several ? "etch: the ranks run different programs: rank 0 has 0000000000000005, and rank " +
                                   std::to_string(n - 1) + " has 0000000000000006"
                             : ""),
        "different programs are one sentence on every rank");
  m = filled(0);
  check(text_of([&] { mpi::same_numbers(ranks, m); }).empty(), "equal models are equal");
  if (r == n - 1) std::get<1>(m.others)(1) += 1;
  check(text_of([&] { mpi::same_numbers(ranks, m); }).starts_with("etch: the ranks hold different numbers") == several,
        "a bit that differs is told");
  check(text_of([&] { ranks.raise_together(""); }).empty(), "no fault is none");
  check(text_of([&] { ranks.raise_together(r == n - 1 ? "etch: a fault" : ""); }) == "etch: a fault",
        "the fault of one rank is that of all");
  check(text_of([&] {
          ranks.together([&] {
            if (r == n - 1) error::raise("a fault");
          });
        }) == "etch: a fault",
        "what one rank throws all throw");
  auto const numbers = ranks.gather(static_cast<std::uint64_t>(10 + r));
  check(numbers.size() == static_cast<std::size_t>(n) && numbers.back() == static_cast<std::uint64_t>(9 + n), "gather");

  std::string const file = folder + "/state.npz";
  model state = filled(0), loaded = filled(3);
  check(!mpi::load_checkpoint(ranks, file, loaded, 7), "without a file there is no checkpoint");
  mpi::same_numbers(ranks, loaded);
  mpi::save_checkpoint(ranks, file, state, 7);
  check(mpi::load_checkpoint(ranks, file, loaded, 7) && loaded.number == state.number &&
            loaded.second[1].weight == state.second[1].weight,
        "a checkpoint comes back");
  mpi::same_numbers(ranks, loaded);
  check(text_of([&] { mpi::load_checkpoint(ranks, file, loaded, 8); }).ends_with("not of 0000000000000008"),
        "one of another program is refused on every rank");
  check(text_of([&] { mpi::save_checkpoint(ranks, folder + "/none/state.npz", state, 7); }).find("cannot be written") !=
            std::string::npos,
        "one that cannot be written is an exception on every rank");
  ranks.barrier();

  bool failed = false;
  try {
    // A root that does not exist: MPI's error is an exception.
    mpi::broadcast(ranks, m, n);
  } catch (etch::exception const& e) {
    failed = std::string(e.what()).starts_with("etch: MPI_Bcast failed: MPI_ERR_ROOT");
  }
  check(failed, "errors of MPI are exceptions");

  std::uint64_t failures = 0;
  for (std::uint64_t each : ranks.gather(static_cast<std::uint64_t>(check.failed))) failures += each;
  if (ranks.is_root()) std::printf("%d passed, %d failed\n", check.passed, static_cast<int>(failures));
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run(argc, argv, [&](mpi::communicator& ranks) { return all(ranks, argv[1]); });
}
