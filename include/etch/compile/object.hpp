// object: where the object that `compile` returns lies. Programs hold their memory, and large ones do
// not fit a stack. Docs: memory.md.
#pragma once

#include <etch/compile/program_error.hpp>
#include <etch/compile/finite.hpp>

#include <type_traits>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// Programs of more bytes are warned of as local variables: an eighth of the usual stack of a process.
inline constexpr std::size_t largest_local_program = 1024 * 1024;

/// A program in static storage: a copy, which `auto step = compile(...)` would be, does not compile.
template <class Program>
struct static_program : Program {
  static_program() = default;
  constexpr static_program(static_program const&) : Program() {
    error::static_program_is_not_copied<typename Program::value_type>();
  }
  static_program& operator=(static_program const&) = delete;
};

/// The type of a program, checked or plain. (A template, since only what is asked for is to be made.)
template <class Plain, bool Checked, class Wrt, class... A>
struct object_type {
  using type = Plain;
};
template <class Plain, class Wrt, class... A>
struct object_type<Plain, true, Wrt, A...> {
  using type = checked_program<Plain, Wrt, A...>;
};

/// A program that names the loss and the options that it was made from, for those who make others of them
/// (`etch/parallel.hpp`). `plain` is what equal losses share.
template <class Program, class F, class Wrt, class Settings, class... A>
struct compiled : Program {
  using plain = Program;
};

/// The type that equal losses share of a program's.
template <class Program>
consteval auto plain_type() {
  if constexpr (requires { typename Program::plain; }) return std::type_identity<typename Program::plain>{};
  else return std::type_identity<Program>{};
}
template <class Program>
using plain_program = typename decltype(plain_type<Program>())::type;

/// The program of loss `F` in static storage.
template <class Program, class F>
inline constinit static_program<Program> program_of_loss{};

/// A program as `Settings` want it: the one in static storage, or a new one. `Loss` is what was traced of `F`.
template <class Plain, class Settings, class F, class Loss, class Wrt, class... A>
[[gnu::always_inline]] inline constexpr decltype(auto) make_program() {
  using Program =
      compiled<typename object_type<Plain, Settings::is_checked, Wrt, A...>::type, Loss, Wrt, Settings, A...>;
  if constexpr (Settings::is_static) {
    return static_cast<static_program<Program>&>(program_of_loss<Program, F>);
  } else {
    if constexpr (sizeof(Program) > largest_local_program)
      if (!__builtin_is_constant_evaluated())
        error::program_is_large_for_the_stack<error::needed<sizeof(Program)>, F>();
    return Program{};
  }
}

}  // namespace detail
ETCH_NAMESPACE_END
