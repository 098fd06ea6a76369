// opaque: a function of the user's on memory, as nodes of a graph and programs name it. What it computes, no pass
// knows.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/graph/graph.hpp>

#include <bit>

ETCH_NAMESPACE_BEGIN

/// The function that a node calls: one of the user's, or one that is derived from it. A function y = f(x...) has
/// adjoints f_i(u, y, x...), linear in u, of the type of x_i. Each is a function with adjoints of its own, so that a
/// path of operands leads to the derivatives of every order. The transpose of f_i is the derivative of f along operand
/// i.
struct opaque_call {
  static constexpr int digit = 5, longest = 30;  ///< bits of the path for each operand, and all of them
  /// Operands of a function and its adjoints, which have two more each, and of a function of the user's.
  static constexpr int most_operands = (1 << digit) - 1, most_inputs = most_operands - 2 * (longest / digit);

  std::uint32_t function = 0;  ///< its key
  std::uint32_t path = 0;      ///< 1 + position of each operand on the path, the first one in the lowest bits
  bool along = false;          ///< whether it is the transpose of what the path leads to: f_i'(v, y, x...)

  constexpr explicit opaque_call(std::uint32_t key) : function(key) {}
  constexpr explicit opaque_call(attribute a)
      : function(static_cast<std::uint32_t>(a >> 32)),
        path(static_cast<std::uint32_t>(a) & 0x7fffffffu),
        along((a & 0x80000000u) != 0) {}
  constexpr operator attribute() const {
    return static_cast<attribute>(function) << 32 | static_cast<attribute>(along) << 31 | path;
  }

  /// Its adjoint by operand `i`; one that no function has where the path would be too long.
  constexpr opaque_call by(int i) const {
    opaque_call c = *this;
    bool const fits = length() + digit <= longest && i + 1 < 1 << digit;
    c.path = fits ? path | static_cast<std::uint32_t>(i + 1) << length() : (std::uint32_t{1} << longest) - 1;
    return c;
  }
  constexpr opaque_call transposed() const {
    opaque_call c = *this;
    c.along = !along;
    return c;
  }
  constexpr bool is_adjoint() const { return path != 0 && !along; }
  constexpr bool is_first_order() const { return path >> digit == 0; }
  /// The operand of `function` by which the path begins, and what it continues with from there.
  constexpr int first() const { return static_cast<int>(path & ((1u << digit) - 1)) - 1; }
  constexpr opaque_call rest() const {
    opaque_call c = *this;
    c.path >>= digit;
    return c;
  }
  /// Whether both are adjoints of one function, which are computed at once.
  constexpr bool is_beside(opaque_call const& other) const {
    return function == other.function && is_adjoint() && other.is_adjoint() && owner() == other.owner();
  }
  /// The operand by which it is the adjoint: the position of its result among those computed at once.
  constexpr int result() const { return is_adjoint() ? static_cast<int>(path >> (length() - digit)) - 1 : 0; }

 private:
  /// The path of what it is the adjoint of, with a digit more.
  constexpr std::uint32_t owner() const { return path | ((1u << digit) - 1) << (length() - digit); }
  constexpr int length() const { return (static_cast<int>(std::bit_width(path)) + digit - 1) / digit * digit; }
};

/// A function of the user's, for operands and a result of known types. Programs refer to it by address, so that two are
/// never one; nodes by a key that compilers of one unit agree on.
struct opaque_function {
  std::uint32_t key;
  /// Whether the user gives what this derivative needs.
  bool (*has)(opaque_call);
  /// Computes it from operands, each side by side, to the results that are not null, by `opaque_call::result`.
  void (*run)(opaque_call, std::byte const* const* operands, std::byte* const* results);
  /// Does so in constant evaluation.
  void (*compute)(opaque_call, block<double> y, const_span<block<double const>> operands);
};

template <int N>
using function_list = fixed<opaque_function const*, N>;
inline constexpr function_list<0> no_functions{};

/// The function that the attribute of a node names, null where it is not in the list.
constexpr opaque_function const* function_named(attribute a, const_span<opaque_function const*> functions) {
  for (opaque_function const* each : functions)
    if (each->key == opaque_call(a).function) return each;
  return nullptr;
}

ETCH_NAMESPACE_END
