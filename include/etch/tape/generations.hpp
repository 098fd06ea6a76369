// generations: numbers that say when a variable of a tape was made, counted by what takes variables
// back. Needs nothing else of etch.
#pragma once

#include <etch/base/namespace.hpp>

#include <cstdint>

ETCH_NAMESPACE_BEGIN
namespace dynamic {

/// Every rewind begins a generation. So does every checkpoint, and every rewind within one: these are counted apart,
/// for their variables end with the checkpoint, after which the generation is again what it was. A variable keeps 31
/// bits of a count and one that says of which.
class generations {
 public:
  explicit generations(std::uint64_t rewinds = 1)
      : rewinds_(rewinds), now_(static_cast<std::uint32_t>(rewinds & low_bits)) {}

  std::uint32_t now() const { return now_; }
  static bool is_confined(std::uint32_t generation) { return generation >= confined; }

  /// Begins the next generation, of the kind that the present one is.
  void advance() {
    if (is_confined(now_)) confine();
    else now_ = static_cast<std::uint32_t>(++rewinds_ & low_bits);
  }
  /// Begins one of a checkpoint.
  void confine() { now_ = confined | static_cast<std::uint32_t>(++confinements_ & low_bits); }
  /// Ends it: the generation is `before` again.
  void restore(std::uint32_t before) { now_ = before; }

  /// Grows from generation to generation of one kind, and is greater for those of checkpoints. What is 2^31 generations
  /// old or more counts as younger than it is, and so as still there: what exists is never taken for gone.
  std::uint64_t order(std::uint32_t generation) const {
    std::uint64_t const latest = is_confined(generation) ? confinements_ : rewinds_;
    return (is_confined(generation) ? std::uint64_t{1} << 63 : 0) | (latest - ((latest - generation) & low_bits));
  }

 private:
  static constexpr std::uint32_t confined = 1u << 31;
  static constexpr std::uint64_t low_bits = confined - 1;

  std::uint64_t rewinds_, confinements_ = 0;
  std::uint32_t now_;
};

}  // namespace dynamic
ETCH_NAMESPACE_END
