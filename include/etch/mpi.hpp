// etch::mpi: training on several processes and machines, over MPI's C interface. Not part of etch.hpp. Needs an MPI of
// standard 3.0 or later, and zlib for checkpoints. Docs: scale.md.
#pragma once

#include <etch/mpi/checkpoint.hpp>
#include <etch/mpi/collectives.hpp>
#include <etch/mpi/communicator.hpp>
#include <etch/mpi/mean_reduction.hpp>
#include <etch/mpi/shard.hpp>
