#include "property.hpp"

#include <etch/io/safetensors.hpp>

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace fuzz;
  byte_view const bytes = std::as_bytes(std::span(data, size));
  auto const save = [](auto const& m) { return io::to_safetensors(m); };
  auto const load = [](byte_view b, auto& m) { io::from_safetensors(b, m); };
  bool const fits = holds_for<model>(bytes, load, save);
  holds_for<part<float>>(bytes, load, save);
  // Whoever expects a program is at least as strict.
  bool const fits_program = holds_for<model>(
      bytes, [](byte_view b, model& m) { io::from_safetensors(b, m, 12345); },
      [](model const& m) { return io::to_safetensors(m, 12345); });
  require(fits || !fits_program, "a file is refused without a hash and read with one");
  return 0;
}
