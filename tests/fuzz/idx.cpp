#include "in_memory.hpp"

#include <etch/io/idx.hpp>
#include <etch/io/idx_source.hpp>

namespace {

using namespace fuzz;

/// A source of examples of this shape reads what `read_idx` reads, and nothing else.
template <int... Dims>
void compare(std::string const& name, bool is_read, io::idx_array const& a) {
  using source = io::idx_source<std::uint8_t, Dims...>;
  std::vector<std::uint8_t> entries;
  bool const is_opened = accepted([&] {
    source s(name);
    typename source::example x;
    for (std::int64_t i = 0; i < s.count(); ++i) {
      s.read(i, x.data());
      entries.insert(entries.end(), x.begin(), x.end());
    }
  });
  bool fits = is_read && sizeof...(Dims) + 1 == a.extent.size();
  int axis = static_cast<int>(sizeof...(Dims));
  ((fits = fits && a.extent[static_cast<std::size_t>(axis--)] == Dims), ...);
  require(!fits || is_opened, "a source refuses what read_idx reads");
  require(!is_opened || !is_read || entries == a.entries, "a source reads something else than read_idx");
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const& name = file_of(data, size);
  io::idx_array a;
  auto const read = [&](int rank) {
    return accepted([&] {
      a = io::read_idx(name, rank);
      std::size_t count = 1;
      for (int extent : a.extent) count *= static_cast<std::size_t>(extent);
      require(a.extent.size() == static_cast<std::size_t>(rank) && a.entries.size() == count,
              "an array has another size than it says");
    });
  };
  if (size > 1 && data[0] == 0x1f && data[1] == 0x8b) {  // compressed: read_idx unpacks, and sources refuse
    for (int rank : {1, 3}) read(rank);
    return 0;
  }
  bool const has_images = read(3);
  compare<1, 2>(name, has_images, a);
  compare<3, 2>(name, has_images, a);
  bool const has_labels = read(1);
  compare<>(name, has_labels, a);
  return 0;
}
