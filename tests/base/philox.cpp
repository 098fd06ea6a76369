#include <etch/base/philox.hpp>

#include <doctest/doctest.h>

namespace {

using etch::philox;
using words = std::array<std::uint32_t, 4>;

// Known answers of philox4x32-10 from the Random123 distribution (kat_vectors).
static_assert(philox({0, 0, 0, 0}, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

TEST_CASE("philox gives its published answers at run time too") {
  std::uint32_t volatile word = 0xffffffff;
  std::uint32_t const w = word;
  CHECK(philox({w, w, w, w}, {w, w}) == words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}

}  // namespace
