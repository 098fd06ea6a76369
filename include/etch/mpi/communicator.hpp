// communicator: the processes that train together, from MPI_Init to MPI_Finalize.
#pragma once

#include <etch/mpi/call.hpp>

#include <cstdint>
#include <vector>

ETCH_NAMESPACE_BEGIN
namespace mpi {

/// All processes that mpirun has started. It initialises MPI unless the program has, and finalises it again; errors of
/// MPI are exceptions. One thread calls MPI. If an exception leaves its scope, all processes are ended (MPI_Abort),
/// since the others would wait for this one forever; `mpi::run` says before what the exception said.
class communicator {
 public:
  communicator(int& argc, char**& argv) {
    int initialised = 0, provided = 0;
    detail::check(MPI_Initialized(&initialised), "MPI_Initialized");
    owns_ = initialised == 0;
    if (owns_) detail::check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    // A communicator of our own: no message of the program's meets one of ours.
    detail::check(MPI_Comm_dup(MPI_COMM_WORLD, &handle_), "MPI_Comm_dup");
    detail::check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    detail::check(MPI_Comm_rank(handle_, &rank_), "MPI_Comm_rank");
    detail::check(MPI_Comm_size(handle_, &size_), "MPI_Comm_size");
  }
  communicator(communicator const&) = delete;
  communicator& operator=(communicator const&) = delete;
  ~communicator() {
    if (std::uncaught_exceptions() > exceptions_) {
      std::fprintf(stderr, "etch: rank %d leaves by an exception, which ends all ranks\n", rank_);
      MPI_Abort(handle_, 1);
    }
    MPI_Comm_free(&handle_);
    if (owns_) MPI_Finalize();
  }

  /// The number of this process, from 0.
  int rank() const { return rank_; }
  /// How many processes there are.
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  /// MPI's own handle, for calls that this library has not.
  MPI_Comm handle() const { return handle_; }

  /// Waits until every rank has come here.
  void barrier() const { detail::check(MPI_Barrier(handle_), "MPI_Barrier"); }

  /// A number of every rank, in the order of ranks.
  std::vector<std::uint64_t> gather(std::uint64_t number) const {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(size_));
    detail::check(MPI_Allgather(&number, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, handle_), "MPI_Allgather");
    return all;
  }

  /// To be called by every rank with the text of what went wrong there, which is empty if nothing did. If anything did
  /// anywhere, every rank throws the text of the lowest such rank, as a `shared_exception`.
  void raise_together(std::string text) const {
    auto const lengths = gather(text.size());
    for (std::size_t faulty = 0; faulty < lengths.size(); ++faulty) {
      if (lengths[faulty] == 0) continue;
      text.resize(static_cast<std::size_t>(lengths[faulty]));
      detail::check(MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, static_cast<int>(faulty), handle_),
                    "MPI_Bcast");
      constexpr std::string_view ours = "etch: ";
      error::ranks_disagree(text.starts_with(ours) ? text.substr(ours.size()) : text);
    }
  }
  /// Calls `f` on every rank; where it throws anywhere, every rank throws the text of the lowest such rank.
  void together(auto f) const {
    std::string text;
#if defined(__cpp_exceptions)
    try {
      f();
    } catch (std::exception const& e) {
      text = e.what();
      if (text.empty()) text = "an exception without a text";
    }
#else
    f();
#endif
    raise_together(text);
  }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  bool owns_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// The exit status of a program that is `f(communicator)` on every rank. An exception ends all ranks, with its text:
/// once where every rank throws it alike, with the rank's number where one does.
template <class F>
int run(int argc, char** argv, F f) {
  communicator ranks(argc, argv);
#if defined(__cpp_exceptions)
  try {
    return f(ranks);
  } catch (shared_exception const& e) {
    if (ranks.is_root()) std::fprintf(stderr, "%s\n", e.what());
  } catch (std::exception const& e) {
    std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), e.what());
    std::fflush(stderr);
    MPI_Abort(ranks.handle(), 1);
  }
  return 1;
#else
  return f(ranks);
#endif
}

}  // namespace mpi
ETCH_NAMESPACE_END
