#include "property.hpp"

#include <etch/io/idx.hpp>

#include <sys/mman.h>

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace fuzz;
  // zlib reads files only, so this one lies in memory.
  static int const file = memfd_create("idx", 0);
  static std::string const name = "/proc/self/fd/" + std::to_string(file);
  require(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
          "no file in memory");
  for (int rank : {1, 3}) {
    try {
      io::idx_array const a = io::read_idx(name, rank);
      std::size_t count = 1;
      for (int extent : a.extent) count *= static_cast<std::size_t>(extent);
      require(a.extent.size() == static_cast<std::size_t>(rank) && a.entries.size() == count,
              "an array has another size than it says");
    } catch (etch::exception const& e) {
      require(std::string(e.what()).find(": at byte ") != std::string::npos, "the refusal names no byte");
    }
  }
  return 0;
}
