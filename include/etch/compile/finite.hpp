// finite: programs that look for infinities and NaN in what they are given and in what they
// compute, and name the first place.
#pragma once

#include <etch/base/finite.hpp>
#include <etch/compile/destination.hpp>
#include <etch/compile/leaf_text.hpp>
#include <etch/compile/pipeline.hpp>
#include <etch/compile/storage.hpp>

ETCH_NAMESPACE_BEGIN

namespace run {

/// The first leaf of `a` that is not finite, as a number behind `before`, the number of leaves so far; -1
/// if there is none. Adds to `before`.
template <class A>
inline int first_not_finite(auto const& a, int& before) {
  int found = -1;
  argument<A>::visit(a, etch::detail::what_counts{[&](auto const* entries, std::size_t n) {
                       if (found < 0 && !all_finite(of_unknown_origin(entries, n), n)) found = before;
                       ++before;
                     }});
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
  /// Gradients are told of when they have been looked at.
  template <bool Accumulate, class Ready, class... Gradient>
  [[gnu::always_inline]] inline typename Program::returned_type operator()(
      A const&... arguments, destination<Accumulate, Ready, Gradient...> to) {
    look_at_arguments(arguments...);
    Program::operator()(arguments..., destination<Accumulate, nobody, Gradient...>{to.targets, {}});
    if (place_ < 0) {
      [[maybe_unused]] int before = look_at_results();
      std::apply([&](auto const&... each) { (look<Gradient>(each, before), ...); }, to.targets);
    }
    using run = typename Program::executable;
    constexpr int leaves = (floating_leaf_count<Gradient>() + ... + 0);
    run::template tell_all<run::output_count - leaves>(to.ready);
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
