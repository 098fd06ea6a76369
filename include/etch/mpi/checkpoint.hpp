// save_checkpoint, load_checkpoint: the state of a training in one file, from which all ranks go on. Needs zlib.
#pragma once

#include <etch/io/npz.hpp>
#include <etch/mpi/collectives.hpp>

ETCH_NAMESPACE_BEGIN
namespace mpi {

/// Rank 0 writes `state` to `file` as .npz, which is replaced as a whole: a process that is killed meanwhile leaves the
/// old checkpoint. The state is the same on all ranks: model, optimiser, number of steps. Called by every rank; where
/// it cannot be written, every rank throws.
template <class State>
void save_checkpoint(communicator const& ranks, std::string const& file, State const& state, std::uint64_t program) {
  ranks.together([&] {
    if (ranks.is_root()) io::save_npz(file, state, program);
  });
}

/// Rank 0 reads `file`, and every rank gets the state; false if there is no such file. Called by every rank; a file
/// that is malformed or of another program is an exception on every rank, and `state` is then as it was.
template <class State>
bool load_checkpoint(communicator const& ranks, std::string const& file, State& state, std::uint64_t program) {
  std::uint64_t found = 0;
  ranks.together([&] {
    std::error_code unknown;
    if (!ranks.is_root() ||
        std::filesystem::symlink_status(file, unknown).type() == std::filesystem::file_type::not_found)
      return;
    io::load_npz(file, state, program);
    found = 1;
  });
  if (ranks.gather(found)[0] == 0) return false;
  broadcast(ranks, state);
  return true;
}

}  // namespace mpi
ETCH_NAMESPACE_END
