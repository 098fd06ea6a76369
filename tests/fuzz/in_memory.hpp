// The bytes of a fuzzer as a file that lies in memory, for readers that read files only.
#pragma once

#include "property.hpp"

#include <sys/mman.h>

namespace fuzz {

/// The name of a file that holds these bytes until the next call.
inline std::string const& file_of(std::uint8_t const* data, std::size_t size) {
  static int const file = memfd_create("bytes", 0);
  static std::string const name = "/proc/self/fd/" + std::to_string(file);
  require(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
          "no file in memory");
  return name;
}

/// Whether `f` goes through; the text of a refusal names a byte.
bool accepted(auto f) {
  try {
    f();
  } catch (etch::exception const& e) {
    require(std::string(e.what()).find(": at byte ") != std::string::npos, "the refusal names no byte");
    return false;
  }
  return true;
}

}  // namespace fuzz
