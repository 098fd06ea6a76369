// A source of examples reads what from_npy reads of the same shape, in both orders.
#include "in_memory.hpp"

#include <etch/io/npy.hpp>
#include <etch/io/npy_source.hpp>

#include <cstring>

namespace {

using namespace fuzz;

/// Whether two numbers that were read are one: files hold NaN as well.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// `Whole` is `Count` examples, behind its first axis or before its last.
template <class Whole, bool Last, class Source>
void compare(std::string const& name, byte_view bytes) {
  constexpr int count = Whole::extent[Last ? Whole::extent.rank - 1 : 0];
  Whole whole{};
  bool const is_read = accepted([&] { io::from_npy(bytes, whole); });
  typename Source::example x;
  bool right = true;
  bool const is_opened = accepted([&] {
    Source s(name, {.batch_last = Last});
    for (std::int64_t n = 0; n < s.count(); ++n) {
      s.read(n, x.data());
      if (!is_read) continue;
      right = right && s.count() == count;
      for (int i = 0; right && i < Source::example::extent[0]; ++i)
        right = same(x(i), Last ? whole(i, static_cast<int>(n)) : whole(static_cast<int>(n), i));
    }
  });
  require(!is_read || !is_opened || right, "a source reads something else than from_npy");
  // Of the two orders one is refused, with the word that saves the other.
  if (is_read && !is_opened) {
    std::string reason;
    try {
      Source s(name, {.batch_last = Last});
    } catch (etch::exception const& e) {
      reason = e.what();
    }
    require(reason.find("one behind the other") != std::string::npos, "a source refuses what from_npy reads");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const& name = file_of(data, size);
  byte_view const bytes = std::as_bytes(std::span(data, size));
  compare<tensor<float, 2, 3>, false, io::npy_source<float, 3>>(name, bytes);
  compare<tensor<float, 2, 3>, true, io::npy_source<float, 2>>(name, bytes);
  compare<tensor<bool, 2, 3>, true, io::npy_source<bool, 2>>(name, bytes);
  return 0;
}
