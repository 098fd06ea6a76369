// load_batches: batches of examples, read by a thread while the caller trains. Needs threads (link with -pthread).
#pragma once

#include <etch/base/exception.hpp>
#include <etch/io/example_source.hpp>
#include <etch/io/permutation.hpp>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

ETCH_NAMESPACE_BEGIN
namespace io {

/// Settings of a loader.
struct loader_options {
  std::uint64_t seed = 0;        ///< of the order of examples, which is another one in every epoch
  bool shuffle = true;           ///< else examples come in the order of the file
  bool drop_last = false;        ///< whether an epoch ends with its last whole batch
  std::int64_t first_batch = 0;  ///< the batch to begin with, counted from the first of epoch 0: where a run goes on
  int rank = 0;                  ///< of `ranks` loaders with equal settings, each of which has its part of every batch:
  int ranks = 1;                 ///< together they give the batches of one whose batch is `ranks` times as large
};

/// A batch, in buffers of its loader. What lies behind the last example that counts is zero; where the last dimension
/// is `upto<N>`, the tensors count as many.
template <int Batch, example_source... Source>
struct loaded_batch {
  std::tuple<typename detail::batched<typename Source::example, Batch>::type...> tensors{};  ///< one a source
  int count = 0;                                                                             ///< of examples in it
  std::int64_t epoch = 0, index = 0;  ///< passes over the data before this one, and batches before this one in it
  bool ends_epoch = false;            ///< whether it is the last of its epoch

  /// The examples of source `I`: a tensor whose last axis is the batch.
  template <std::size_t I>
  auto const& get() const {
    return std::get<I>(tensors);
  }
};

/// Batches of `Batch` examples of sources that are read side by side, without end: epoch follows epoch. There are two
/// buffers: one is the caller's, and a thread fills the other and then waits. Which examples a batch has is a function
/// of the settings alone, not of time. The constructor allocates all memory that there is but the text of errors.
template <int Batch, example_source... Source>
class loader {
  static_assert(Batch >= 1, "etch: a batch has at least one example");
  static constexpr int most = make_shape(Batch)[0];  // examples in a batch
  static_assert(sizeof...(Source) >= 1, "etch: a loader needs at least one source of examples");

 public:
  using batch = loaded_batch<Batch, Source...>;

  /// Throws `etch::exception` if the sources have different numbers of examples, or the settings leave no batch.
  explicit loader(loader_options const& options, Source... source) : options_(options), sources_(std::move(source)...) {
    std::string first;
    std::apply([&](auto const&... each) { (agree(each, first), ...); }, sources_);
    if (options.ranks < 1 || options.rank < 0 || options.rank >= options.ranks)
      error::raise("a loader has a rank from 0 to ranks - 1, not " + std::to_string(options.rank) + " of " +
                   std::to_string(options.ranks));
    if (options.first_batch < 0) error::raise("the first batch of a loader is at least 0");
    if (count_ < 1) error::raise(first + ": there are no examples");
    if (batches_per_epoch() < 1)
      error::raise(first + ": the " + std::to_string(count_) + " examples are no whole batch of " +
                   std::to_string(stride()) + ", and drop_last leaves out any other");
    buffers_ = std::make_unique<buffer[]>(2);
    thread_ = std::thread([this] { fill_all(); });
  }
  loader(loader const&) = delete;
  loader& operator=(loader const&) = delete;
  /// Ends the thread, which finishes the example that it reads.
  ~loader() {
    {
      std::lock_guard const lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next batch, for which it waits if it is not there yet. The one before goes back to the loader: references to
  /// it see it overwritten. Throws what a source threw, in the place of the batch that could not be read, and from then
  /// on.
  batch const& next() {
    std::unique_lock lock(mutex_);
    if (given_) {
      given_ = false;
      buffers_[turn_].full = false;
      turn_ = 1 - turn_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return buffers_[turn_].full || failure_; });
    if (!buffers_[turn_].full) std::rethrow_exception(failure_);
    given_ = true;
    return buffers_[turn_].contents;
  }

  /// Examples in an epoch, of all ranks.
  std::int64_t count() const { return count_; }
  /// Batches in an epoch, the same for every rank.
  std::int64_t batches_per_epoch() const {
    return options_.drop_last ? count_ / stride() : (count_ - 1) / stride() + 1;
  }

 private:
  struct buffer {
    batch contents;
    bool full = false;
  };

  loader_options options_;
  std::tuple<Source...> sources_;
  std::int64_t count_ = -1;
  std::unique_ptr<buffer[]> buffers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
  std::size_t turn_ = 0;  // whose buffer comes next
  bool given_ = false;    // whether the caller has that buffer
  std::atomic<bool> ends_ = false;
  std::thread thread_;

  std::int64_t stride() const { return std::int64_t{most} * options_.ranks; }
  void agree(auto const& source, std::string& first) {
    auto const n = static_cast<std::int64_t>(source.count());
    if (count_ < 0) {
      count_ = n;
      first = source.name();
    }
    if (n != count_)
      error::raise("the sources of a loader have different numbers of examples: " + std::to_string(count_) + " in " +
                   first + ", " + std::to_string(n) + " in " + source.name());
  }

  void fill_all() {
#if defined(__cpp_exceptions)
    try {
      fill_until_end();
    } catch (...) {
      std::lock_guard const lock(mutex_);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
#else
    fill_until_end();
#endif
  }
  void fill_until_end() {
    std::int64_t const per_epoch = batches_per_epoch();
    for (std::int64_t step = options_.first_batch;; ++step) {
      buffer& to = buffers_[static_cast<std::size_t>((step - options_.first_batch) % 2)];
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !to.full || ends_; });
      }
      if (ends_) return;
      batch& b = to.contents;
      b.epoch = step / per_epoch;
      b.index = step % per_epoch;
      b.ends_epoch = b.index + 1 == per_epoch;
      if (!fill(b)) return;
      {
        std::lock_guard const lock(mutex_);
        to.full = true;
      }
      changed_.notify_all();
    }
  }
  /// Reads the examples of a batch; false if the loader ends.
  bool fill(batch& b) {
    std::int64_t const first = b.index * stride() + std::int64_t{options_.rank} * most, rest = count_ - first;
    b.count = rest <= 0 ? 0 : rest < most ? static_cast<int>(rest) : most;
    permutation const order(static_cast<std::uint64_t>(count_), options_.seed, static_cast<std::uint64_t>(b.epoch));
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(sources_).check(), ...);
      for (int k = 0; k < b.count; ++k) {
        if (ends_) return false;
        std::int64_t const at = first + k;
        std::int64_t const i = options_.shuffle ? static_cast<std::int64_t>(order(static_cast<std::uint64_t>(at))) : at;
        (std::get<I>(sources_).read(i, column<I>(b, k)), ...);
      }
      ((std::fill(column<I>(b, b.count), column<I>(b, most), 0)), ...);
      if constexpr (make_shape(Batch).counted != 0) (std::get<I>(b.tensors).resize(b.count), ...);
      (std::get<I>(sources_).check(), ...);  // what was read before a change is not handed out
      return true;
    }(std::index_sequence_for<Source...>{});
  }
  template <std::size_t I>
  static auto* column(batch& b, int k) {
    constexpr std::size_t entries = std::tuple_element_t<I, std::tuple<Source...>>::example::count;
    return std::get<I>(b.tensors).data() + entries * static_cast<std::size_t>(k);
  }
};

/// A loader of batches of `Batch` examples, each a tensor a source: `load_batches<32>({.seed = 1}, images, labels)`.
/// With `upto<32>` the tensors are those of `upto<32>` samples, so that the last batch of an epoch needs no program of
/// its own.
template <int Batch, example_source... Source>
loader<Batch, Source...> load_batches(loader_options const& options, Source... source) {
  return loader<Batch, Source...>(options, std::move(source)...);
}

}  // namespace io
ETCH_NAMESPACE_END
