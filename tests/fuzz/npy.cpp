#include "property.hpp"

#include <etch/io/npy.hpp>

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace fuzz;
  byte_view const bytes = std::as_bytes(std::span(data, size));
  auto const check = [&]<class A>(std::type_identity<A>) {
    holds_for<A>(bytes, [](byte_view b, A& x) { io::from_npy(b, x); }, [](A const& x) { return io::to_npy(x); });
  };
  check(std::type_identity<tensor<float, 2, 3>>{});
  check(std::type_identity<tensor<bool, 3>>{});
  check(std::type_identity<double>{});
  return 0;
}
