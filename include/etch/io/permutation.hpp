// permutation: an order of 0 ... n-1 that is computed entry by entry and takes no memory.
#pragma once

#include <etch/base/philox.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace io {

/// A pseudo-random permutation of 0 ... count-1, a pure function of count, seed and epoch: a Feistel network on pairs
/// of remainders, whose results beyond the last entry are permuted again (J. Black, P. Rogaway, Ciphers with arbitrary
/// finite domains, CT-RSA 2002), with Philox as its round function. `count` is below 2^62.
class permutation {
 public:
  constexpr permutation(std::uint64_t count, std::uint64_t seed, std::uint64_t epoch)
      : count_(count),
        left_(root(count)),
        right_(count == 0 ? 0 : (count + left_ - 1) / left_),
        rounds_(count < 1024 ? 32 : 8),
        key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        epoch_{static_cast<std::uint32_t>(epoch), static_cast<std::uint32_t>(epoch >> 32)} {}

  /// Entry `i`, below count.
  constexpr std::uint64_t operator()(std::uint64_t i) const {
    do i = once(i);
    while (i >= count_);
    return i;
  }

 private:
  std::uint64_t count_, left_, right_;  // left_ * right_ is count_, or a little more
  std::uint32_t rounds_;                // more of them where functions of few values mix little in each
  std::array<std::uint32_t, 2> key_, epoch_;

  /// The smallest number whose square is at least n.
  static constexpr std::uint64_t root(std::uint64_t n) {
    std::uint64_t low = 0, high = std::uint64_t{1} << 31;
    while (low < high) {
      std::uint64_t const middle = (low + high) / 2;
      if (middle * middle < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  constexpr std::uint64_t bits(std::uint32_t round, std::uint64_t of) const {
    constexpr std::uint32_t shuffles = 0x73687566;  // apart from the counters of nn::generator
    auto const block = philox({static_cast<std::uint32_t>(of), shuffles + round, epoch_[0], epoch_[1]}, key_);
    return static_cast<std::uint64_t>(block[0]) << 32 | block[1];
  }
  constexpr std::uint64_t once(std::uint64_t i) const {
    std::uint64_t l = i % left_, r = i / left_;
    for (std::uint32_t round = 0; round < rounds_; round += 2) {
      l = (l + bits(round, r) % left_) % left_;
      r = (r + bits(round + 1, l) % right_) % right_;
    }
    return l + left_ * r;
  }
};

}  // namespace io
ETCH_NAMESPACE_END
