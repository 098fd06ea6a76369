// Values of every op, a scalar and a register of each width at a time.
#include "library.hpp"

#include <etch/op/table.hpp>
#include <etch/machine/lanes.hpp>

namespace accuracy {

namespace {

template <class Op, class V>
void evaluate(typename etch::math::number<V>::scalar_type const* const* x,
              typename etch::math::number<V>::scalar_type* y, std::size_t count) {
  for (std::size_t i = 0; i < count; i += static_cast<std::size_t>(etch::width_of<V>)) {
    if constexpr (std::is_floating_point_v<V>) {
      if constexpr (Op::arity == 1) y[i] = Op::value(x[0][i]);
      else y[i] = Op::value(x[0][i], x[1][i]);
    } else {
      auto const at = [&](int k) { return V::load(x[k] + i); };
      if constexpr (Op::arity == 1) Op::value(at(0)).store(y + i);
      else Op::value(at(0), at(1)).store(y + i);
    }
  }
}

template <class Op>
constexpr bool measured() {
  if constexpr (!etch::is_a<Op, etch::elementwise_kind>) return false;
  else
    return Op::arity <= 2 &&
           (std::is_base_of_v<etch::op::transcendental<Op::arity>, Op> || std::is_same_v<Op, etch::op::softsign>);
}

/// A register of `Width` lanes and the narrower ones; a register has at least 16 bytes.
template <class Op, class T, int Width = etch::widest<T>>
void add_registers(implementation::functions<T>& all) {
  if constexpr (Width * sizeof(T) >= 16) {
    all.push_back({Width, evaluate<Op, etch::lanes<T, Width>>});
    add_registers<Op, T, Width / 2>(all);
  }
}
template <class Op, class T>
implementation::functions<T> in_every_width() {
  implementation::functions<T> all{{1, evaluate<Op, T>}};
  add_registers<Op, T>(all);
  return all;
}

template <class Op>
void add(std::vector<implementation>& all) {
  if constexpr (measured<Op>())
    all.push_back({Op::name, Op::arity, std::is_base_of_v<etch::op::transcendental<Op::arity>, Op>,
                   in_every_width<Op, float>(), in_every_width<Op, double>()});
}
template <class... Op>
std::vector<implementation> of_all(etch::op_list<Op...>) {
  std::vector<implementation> all;
  (add<Op>(all), ...);
  return all;
}

}  // namespace

std::vector<implementation> const& implementations() {
  static auto const all = of_all(etch::op::list{});
  return all;
}

template <class T>
int width() {
  return etch::widest<T>;
}
template int width<float>();
template int width<double>();

}  // namespace accuracy
