// laid_out: values in memory in several layouts, nodes computed from them, and what the
// interpreter makes of the same nodes.
#pragma once

#include <etch/machine/interpret.hpp>
#include <etch/tape/recorded_op.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace laid_out {

using namespace etch;
using numbers = std::vector<double>;

/// How the entries of a value lie in memory.
enum class way { adjoining, transposed, backwards, apart };
inline constexpr way every_way[]{way::adjoining, way::transposed, way::backwards, way::apart};

/// Entries, first axis fastest, and how they are to lie.
struct operand {
  element type{};
  shape extent{};
  numbers entries;
};

/// A value with memory of its own; around it bytes that nobody may change.
class placed {
 public:
  dynamic::strided_value at;

  placed(element type, shape const& extent, way how) {
    std::size_t const bytes = static_cast<std::size_t>(2 * extent.size() * bytes_of(type)) + 2 * margin;
    memory_.assign(bytes, untouched);
    at = {type, extent, {0, contiguous_strides(extent)}, memory_.data() + margin};
    if (how == way::transposed) {
      std::int64_t step = 1;
      for (int axis = max_rank - 1; axis >= 0; --axis) at.where.step.entry[axis] = step, step *= extent[axis];
    } else if (how == way::backwards) {
      for (std::int64_t& step : at.where.step) step = -step;
      at.where.offset = extent.size() - 1;
    } else if (how == way::apart) {
      for (std::int64_t& step : at.where.step) step *= 2;
      at.where.offset = 1;
    }
  }
  placed(operand const& x, way how) : placed(x.type, x.extent, how) { write(x.entries); }

  void write(numbers const& entries) {
    std::size_t i = 0;
    each([&](auto& entry) { entry = static_cast<std::remove_reference_t<decltype(entry)>>(entries[i++]); });
  }
  numbers read() const {
    numbers entries;
    each([&](auto& entry) { entries.push_back(static_cast<double>(entry)); });
    return entries;
  }
  /// Whether only entries of the value were written: of one whose entries adjoin.
  bool margins_are_whole() const {
    std::size_t const used = static_cast<std::size_t>(at.extent.size() * bytes_of(at.type));
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if ((i < margin || i >= margin + used) && memory_[i] != untouched) return false;
    return true;
  }

 private:
  static constexpr std::size_t margin = 128;
  static constexpr std::byte untouched{0x5a};
  std::vector<std::byte> memory_;

  void each(auto f) const {
    with_element(at.type, [&](auto zero) {
      auto* const entries = at.first<decltype(zero)>();
      for_each_index(at.extent, [&](auto const& i) {
        std::int64_t place = 0;
        for (std::size_t axis = 0; axis < max_rank; ++axis) place += i[axis] * at.where.step[axis];
        f(entries[place]);
      });
    });
  }
};

/// One op with its attribute, the shape of its result, and its operands.
struct subject {
  opcode op{};
  element type{};
  shape extent{};
  attribute attributes = 0;
  std::vector<operand> operands;
};

/// The result of the interpreter.
inline numbers interpreted(subject const& s) {
  graph g;
  std::vector<numbers> entries;
  sequence<int> ids;
  for (operand const& x : s.operands) {
    ids.push_back(input(g, x.type, x.extent, static_cast<int>(entries.size())).id);
    entries.push_back(x.entries);
  }
  g.outputs = {g.insert(s.op, s.type, s.extent, s.attributes, ids)};
  return run::interpret(g, entries)[0];
}

/// The kernel of any op, for tapes of type `T`.
template <class T>
dynamic::kernel<T> const& kernel_of(opcode op) {
  dynamic::find_row<op::list, T>();  // makes all known
  return static_cast<dynamic::recorded_op<T> const&>(*dynamic::known<T>(op));
}

/// The result of the kernel, operand i lying as `how` says, the next ones each in another way.
template <class T>
numbers computed(subject const& s, way how, status expected = status::ok) {
  std::vector<placed> x;
  std::vector<dynamic::strided_value> at;
  for (operand const& each : s.operands)
    x.emplace_back(each, how), how = every_way[(static_cast<std::size_t>(how) + 1) % 4];
  for (placed const& each : x) at.push_back(each.at);
  placed const y(s.type, s.extent, way::adjoining);
  node const n{s.op, s.type, s.extent, s.attributes, 0, static_cast<int>(at.size())};
  REQUIRE(dynamic::has_kernel(n));
  status const outcome = dynamic::compute<T>(kernel_of<T>(s.op), n, y.at, at);
  CHECK(outcome == expected);
  CHECK(y.margins_are_whole());
  return y.read();
}

/// Numbers of the type between `low` and `high`, the same for one seed.
inline numbers sample(element type, std::int64_t n, double low, double high, unsigned seed) {
  std::mt19937 random(seed);
  numbers x;
  for (std::int64_t i = 0; i < n; ++i) {
    double const e = low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
    x.push_back(type == element::f32 ? static_cast<double>(static_cast<float>(e))
                : is_floating(type)  ? e
                                     : std::floor(e));
  }
  return x;
}
inline operand sampled(element type, shape const& s, double low, double high, unsigned seed) {
  return {type, s, sample(type, s.size(), low, high, seed)};
}

/// Whether both are the same number to the last bit, zeros of one sign, or both no number.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The largest difference, relative to the larger of 1 and both; infinite where one is no number
/// or infinite, and the other not so.
inline double difference(numbers const& a, numbers const& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same(a[i], b[i]) || a[i] == b[i]) continue;
    double const d = std::abs(a[i] - b[i]) / std::max({1.0, std::abs(a[i]), std::abs(b[i])});
    most = d <= 1e300 ? std::max(most, d) : std::numeric_limits<double>::infinity();
  }
  return most;
}

template <class T>
inline constexpr double digits = sizeof(T) == 4 ? 2e-5 : 1e-13;

}  // namespace laid_out
