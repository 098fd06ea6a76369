// visit_each: the entries of tensors and numbers, one after the other.
#pragma once

#include <cstddef>
#include <tuple>

namespace bench {

/// Calls `f(entries, their number)` for each of a tuple of tensors and numbers.
void visit_each(auto const& all, auto f) {
  std::apply(
      [&](auto const&... each) {
        (
            [&] {
              if constexpr (requires { each.data(); }) f(each.data(), static_cast<std::size_t>(each.size()));
              else f(&each, std::size_t{1});
            }(),
            ...);
      },
      all);
}

}  // namespace bench
