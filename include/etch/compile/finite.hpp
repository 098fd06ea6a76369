// finite: programs that look for infinities and NaN in what they are given and in what they
// compute, and name the first place.
#pragma once

#include <etch/compile/destination.hpp>
#include <etch/compile/leaf_text.hpp>
#include <etch/compile/pipeline.hpp>
#include <etch/compile/storage.hpp>

#include <cstring>
#include <limits>

ETCH_NAMESPACE_BEGIN

namespace run {

/// Whether all `n` entries are finite: none has an exponent of ones only, to which adding 1 carries into the sign's
/// place. Bits are asked, not numbers, since -ffast-math takes every number for finite.
template <std::floating_point T>
inline bool all_finite(T const* entries, std::size_t n) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(bits) == sizeof(T), "etch: numbers of 4 or 8 bytes are looked at");
  constexpr int digits = std::numeric_limits<T>::digits - 1;
  constexpr bits exponent = (~bits{0} >> (digits + 1)) << digits, one = bits{1} << digits;
  constexpr std::size_t width = 64 / sizeof(T);
  typedef bits lanes_of_bits __attribute__((vector_size(64)));
  lanes_of_bits found{};
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    lanes_of_bits x;
    std::memcpy(&x, entries + i, sizeof x);
    found |= (x & exponent) + one;
  }
  bits any = 0;
  for (std::size_t lane = 0; lane < width; ++lane) any |= found[lane];
  for (; i < n; ++i) {
    bits x;
    std::memcpy(&x, entries + i, sizeof x);
    any |= (x & exponent) + one;
  }
  return any >> (8 * sizeof(T) - 1) == 0;
}
/// Labels and indices are always finite.
template <class T>
  requires(!std::is_floating_point_v<T>)
constexpr bool all_finite(T const*, std::size_t) {
  return true;
}

/// The first leaf of `a` that is not finite, as a number behind `before`, the number of leaves so far; -1
/// if there is none. Adds to `before`.
template <class A>
inline int first_not_finite(auto const& a, int& before) {
  int found = -1;
  argument<A>::visit(a, [&](auto const* entries, std::size_t n) {
    if (found < 0 && !all_finite(of_unknown_origin(entries, n), n)) found = before;
    ++before;
  });
  return found;
}

}  // namespace run

namespace detail {

/// Calls `f(J, type of the differentiated argument, its name)` for every gradient of a program.
template <class Program, class Wrt, class... A>
struct gradients_checked;
template <class Program, int... I, class... A>
struct gradients_checked<Program, wrt<I...>, A...> {
  static constexpr void for_each([[maybe_unused]] auto f) {
    (f(std::integral_constant<int, I>{},
       std::type_identity<std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<A...>>>{}, I),
     ...);
  }
};

/// The names of all places where a checked program looks, in the order of its leaves: arguments, results, gradients.
template <class Program, class Wrt, class... A>
constexpr sequence<char> checked_places() {
  sequence<char> all;
  int position = 0;
  (append_leaf_texts<A>(all, "argument ", position++), ...);
  append_text(all, "value"), all.push_back(0);
  for (int k = 1; k <= Program::further_count; ++k) append_text(all, "result "), append_text(all, k), all.push_back(0);
  gradients_checked<Program, Wrt, A...>::for_each([&]<class Of>(auto, std::type_identity<Of>, auto name) {
    append_leaf_texts<typename argument<Of>::gradient>(all, "gradient ", name);
  });
  return all;
}

/// A program that looks at its arguments before each call and at its results and gradients after it.
template <class Program, class Wrt, class... A>
class checked_program : public Program {
 public:
  static constexpr program_facts facts = [] {
    program_facts f = Program::facts;
    f.object_bytes = sizeof(checked_program);
    return f;
  }();

  [[gnu::always_inline]] inline typename Program::returned_type operator()(A const&... arguments) {
    look_at_arguments(arguments...);
    Program::operator()(arguments...);
    if (place_ < 0) {
      int before = look_at_results();
      gradients::for_each([&]<class Of>(auto j, std::type_identity<Of>, auto) {
        look<typename argument<Of>::gradient>(this->template grad<j>(), before);
      });
    }
    return this->value();
  }
  template <bool Accumulate, class... Gradient>
  [[gnu::always_inline]] inline typename Program::returned_type operator()(A const&... arguments,
                                                                           destination<Accumulate, Gradient...> to) {
    look_at_arguments(arguments...);
    Program::operator()(arguments..., to);
    if (place_ < 0) {
      [[maybe_unused]] int before = look_at_results();
      std::apply([&](auto const&... each) { (look<Gradient>(each, before), ...); }, to.targets);
    }
    return this->value();
  }

  /// The status of the program, and `not_finite`.
  etch::status status() const { return place_ < 0 ? Program::status() : Program::status() | etch::status::not_finite; }
  /// The first place of the last call that is not finite: "argument 1", "argument 0.hidden.weight", "value", "result
  /// 1", "gradient 0.hidden.weight". Arguments come first; empty where all is finite.
  std::string_view not_finite() const { return place_ < 0 ? std::string_view() : text_of(names, place_); }

 private:
  using gradients = gradients_checked<Program, Wrt, A...>;
  static constexpr auto names = frozen_texts<[] { return checked_places<Program, Wrt, A...>(); }>();

  int place_ = -1;

  template <class Of>
  void look(auto const& at, int& before) {
    int const found = etch::run::first_not_finite<Of>(at, before);
    if (place_ < 0) place_ = found;
  }
  [[gnu::noinline]] void look_at_arguments(A const&... arguments) {
    place_ = -1;
    [[maybe_unused]] int before = 0;
    (look<A>(arguments, before), ...);
  }
  /// Returns the number of places before the gradients.
  [[gnu::noinline]] int look_at_results() {
    int before = (pass::leaf_count<A>() + ... + 0);
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (look<std::remove_cvref_t<decltype(this->template result<K>())>>(this->template result<K>(), before), ...);
    }(std::make_integer_sequence<int, 1 + Program::further_count>{});
    return before;
  }
};

}  // namespace detail

ETCH_NAMESPACE_END
