// Calls of MPI whose errors are exceptions, and the sentences.
#pragma once

#include <etch/base/exception.hpp>

// Only the C interface: the one for C++ left the standard in 2012.
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

ETCH_NAMESPACE_BEGIN
namespace mpi {

/// An exception that every rank throws alike, so that all of them can end in order.
struct shared_exception : exception {
  using exception::exception;
};

}  // namespace mpi

namespace error {

[[noreturn]] inline void mpi_call_failed(char const* call, std::string const& reason) {
  raise(std::string(call) + " failed: " + reason);
}
/// Throws on every rank, and so must be reached by every rank with the same sentence.
[[noreturn]] inline void ranks_disagree(std::string const& sentence) {
#if defined(__cpp_exceptions)
  throw mpi::shared_exception("etch: " + sentence);
#else
  raise(sentence);
#endif
}

}  // namespace error

namespace mpi {
namespace detail {

/// Throws if `code`, which `call` returned, says that it failed.
inline void check(int code, char const* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
    error::mpi_call_failed(call, "code " + std::to_string(code));
  error::mpi_call_failed(call, std::string(text, static_cast<std::size_t>(length)));
}

template <class T>
MPI_Datatype datatype_of();
template <>
inline MPI_Datatype datatype_of<float>() {
  return MPI_FLOAT;
}
template <>
inline MPI_Datatype datatype_of<double>() {
  return MPI_DOUBLE;
}

}  // namespace detail
}  // namespace mpi
ETCH_NAMESPACE_END
