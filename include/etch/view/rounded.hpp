// rounded: numbers of bytes and operations as people read them.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>
#include <string>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// A number in the largest of five units that it reaches, each `step` times the one before, with one decimal unless
/// that is 0.
inline std::string in_largest_unit(std::int64_t number, std::int64_t step, char const* const (&units)[5]) {
  int unit = 0;
  std::int64_t tenths = number * 10, size = 1;
  // 1023.96 KiB would be rounded to 1024 KiB: such numbers are already of the next unit.
  while (unit < 4 && tenths + size / 2 >= step * size * 10) size *= step, ++unit;
  tenths = (tenths + size / 2) / size;
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
  return text + units[unit];
}

/// A number of bytes, rounded: `640 B`, `1.5 KiB`, `27.5 MiB`.
inline std::string rounded_bytes(std::int64_t bytes) {
  return in_largest_unit(bytes, 1024, {" B", " KiB", " MiB", " GiB", " TiB"});
}

/// A number of things, rounded: `640`, `21.9 k`, `13.4 M`.
inline std::string rounded_count(std::int64_t count) {
  return in_largest_unit(count, 1000, {"", " k", " M", " G", " T"});
}

}  // namespace detail
ETCH_NAMESPACE_END
