// library: the library's ops by name, their values in every width and their derivatives by the library's own rules.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace accuracy {

/// One op. Its functions compute values for `count` points, which is a multiple of 16: one a time, or
/// a register of `width` at a time.
struct implementation {
  template <class T>
  struct function {
    int width;
    void (*evaluate)(T const* const* x, T* y, std::size_t count);
  };
  template <class T>
  using functions = std::vector<function<T>>;

  std::string name;
  int arity;
  bool transcendental;
  functions<float> single;
  functions<double> twice;

  template <class T>
  functions<T> const& in() const {
    if constexpr (sizeof(T) == 4) return single;
    else return twice;
  }
};

/// Every element-wise op with one or two operands and a formula of its own.
std::vector<implementation> const& implementations();

/// The derivatives of op `name` by each operand at the points `x`, computed node by node in the element type T.
template <class T>
std::vector<std::vector<double>> slopes(std::string const& name, std::vector<std::vector<double>> const& x,
                                        bool precise);

/// The number of lanes of T in a register.
template <class T>
int width();

}  // namespace accuracy
