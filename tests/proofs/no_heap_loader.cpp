// A loader that is made allocates nothing, in either of its threads: batches of images, labels, rows of text and arrays
// whose examples are turned.
#include <etch/io/csv_source.hpp>
#include <etch/io/idx_source.hpp>
#include <etch/io/loader.hpp>
#include <etch/io/npy_source.hpp>

#include "../../examples/heap_count.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace {

using namespace etch;
constexpr int count = 50;

/// Allocations during three epochs, after all that the constructor does; -1 if the batches are not those of the files.
long allocations(std::string const& folder) {
  std::string images("\0\0\x08\x03\0\0\0\x32\0\0\0\x02\0\0\0\x03", 16), table = "a,b\n";
  for (int n = 0; n < count; ++n) {
    for (int p = 0; p < 6; ++p) images += static_cast<char>(n);
    table += std::to_string(n) + ",0.000000000000000000000000000000000000000" + std::to_string(n) + "\n";
  }
  io::replace_file(folder + "/images", std::as_bytes(std::span(images)));
  io::replace_file(folder + "/table.csv", std::as_bytes(std::span(table)));
  tensor<float, 3, 2, count> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i / 6);
  io::save_npy(folder + "/x.npy", x);

  auto batches = io::load_batches<8>(
      {.seed = 1}, io::idx_source<float, 3, 2>(folder + "/images"), io::csv_source<double, 2>(folder + "/table.csv"),
      io::npy_source<float, 2, 3>(folder + "/x.npy", {.batch_last = true, .reversed = true}));
  batches.next();
  long const before = heap::count();
  bool right = true;
  for (int step = 1; step < 21; ++step) {
    auto const& b = batches.next();
    for (int k = 0; k < b.count; ++k)
      right = right && b.get<0>()(2, 1, k) == b.get<1>()(0, k) && b.get<2>()(1, 2, k) == b.get<1>()(0, k);
    right = right && b.count == (step % 7 == 6 ? 2 : 8);
  }
  return right ? heap::count() - before : -1;
}

}  // namespace

int main() {
  namespace fs = std::filesystem;
  fs::path const folder = fs::temp_directory_path() / ("etch_no_heap_loader_" + std::to_string(getpid()));
  fs::create_directories(folder);
  long const n = allocations(folder.string());
  fs::remove_all(folder);
  char const* const reason = heap::why_not_counted();
  if (reason != nullptr) std::printf("skipped: heap allocations are %s\n", reason);
  bool const passed = reason != nullptr ? n >= 0 : n == 0;
  if (!passed) std::printf("a loader: %s (%ld)\n", n < 0 ? "other batches than those of the files" : "allocations", n);
  std::printf("%d passed, %d failed\n", passed, !passed);
  return passed ? 0 : 1;
}
