// Matrices of a few diagonals: what neighbours have in common.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/op/slice.hpp>

ETCH_NAMESPACE_BEGIN
namespace op {

/// Up to four diagonals of a matrix by their numbers, row less column, and whether their mirror images are meant too. A
/// number may be there more than once.
class diagonal_numbers {
 public:
  static constexpr int most = 4;

  constexpr explicit diagonal_numbers(bool with_mirror) : words_(with_mirror ? 1 : 0) {}
  constexpr explicit diagonal_numbers(attribute a) : words_(a) {}
  constexpr operator attribute() const { return words_; }

  static constexpr bool has_room_for(std::int64_t number) { return number >= least && number < -least; }
  constexpr void push_back(int number) {
    words_ |= static_cast<attribute>(number - least) << (first_bit + bits * size());
    words_ += 2;
  }

  /// The same diagonals, where the rest of the matrix is known to hold zeros.
  constexpr diagonal_numbers over_zeros() const { return diagonal_numbers(words_ | bit_of_zeros); }
  constexpr bool is_over_zeros() const { return (words_ & bit_of_zeros) != 0; }

  constexpr bool mirrored() const { return (words_ & 1) != 0; }
  constexpr int size() const { return static_cast<int>((words_ >> 1) & 7); }
  constexpr int operator[](int k) const {
    return static_cast<int>((words_ >> (first_bit + bits * k)) & ((1u << bits) - 1)) + least;
  }
  /// Whether the number at position `k` is there before.
  constexpr bool repeats(int k) const {
    for (int before = 0; before < k; ++before)
      if ((*this)[before] == (*this)[k]) return true;
    return false;
  }

  /// How many there are where each counts once, and the position of number `k` among those.
  constexpr int count() const { return position(size()); }
  constexpr int position(int k) const {
    int before = 0;
    for (int first = 0; first < k && (k == size() || (*this)[first] != (*this)[k]); ++first) before += !repeats(first);
    return before;
  }

  /// The columns that diagonal `number` of a matrix of shape `s` meets: the first one, and behind the last one.
  static constexpr int first(int number) { return number < 0 ? -number : 0; }
  static constexpr int end(int number, shape const& s) { return std::min(s[1], s[0] - number); }

 private:
  static constexpr int bits = 14, least = -(1 << (bits - 1)), first_bit = 4;
  static constexpr attribute bit_of_zeros = attribute{1} << 63;

  attribute words_;
};

/// A matrix of zeros but for the diagonals that the attribute names, with their mirror images where it says so. The
/// operand has one after the other, each as long as the matrix has columns: an entry stands where its column is. Those
/// of one number are added up.
struct on_diagonals : block_kind {
  static constexpr auto name = "on_diagonals";
  static constexpr reach reaches = reach::counted;
  static constexpr auto linear = linearity::joint;
  static constexpr auto part_of = "jacobian and hessian of functions of neighbours";
  static constexpr auto formula = "y[j + d[k], j] = x[j + n k], 0 elsewhere";
  static constexpr int arity = 1;
  static constexpr bool takes_shape = true, accumulates = true;

  static constexpr bool accepts(attribute a, shape const& whole, shapes<1> const& x) {
    return whole.rank == 2 && x[0].rank == 1 && x[0][0] == whole[1] * diagonal_numbers(a).size();
  }
  template <class T>
  static constexpr status run(attribute a, block<T> y, block<T const> x, bool accumulate) {
    diagonal_numbers const d(a);
    if (!accumulate && !d.is_over_zeros()) for_each_index(y.extent, [&](auto const& i) { y(i) = 0; });
    int const columns = y.extent[1];
    auto const put = [&](T& at, T entry) { at = accumulate ? at + entry : entry; };
    auto const diagonal = [&](int k) {
      if (k >= d.size() || d.repeats(k)) return;
      int const number = d[k], end = diagonal_numbers::end(number, y.extent);
      for (int j = diagonal_numbers::first(number); j < end; ++j) {
        T entry = x(j + columns * k);
        for (int l = k + 1; l < d.size(); ++l)
          if (d[l] == number) entry = entry + x(j + columns * l);
        put(y(j + number, j), entry);
        if (d.mirrored() && number != 0) put(y(j, j + number), entry);
      }
    };
    diagonal(0), diagonal(1), diagonal(2), diagonal(3);  // numbers that are known are constants so
    return status::ok;
  }
  /// The diagonals of the adjoint.
  static constexpr auto pullback(auto g, auto, auto x, attribute a) {
    diagonal_numbers const d(a);
    shape const s = g.extent();
    term const entries = reshaped(g, make_shape(s[0] * s[1]));
    sequence<term> diagonals;
    for (int k = 0; k < d.size(); ++k) {
      int const number = d[k], first = diagonal_numbers::first(number);
      int const count = diagonal_numbers::end(number, s) - first;
      if (count <= 0) continue;
      auto const along = [&](int row, int column) {
        return etch::slice(entries, region(0, row + s[0] * column, s[0] + 1), count);
      };
      term adjoint = along(first + number, first);
      if (d.mirrored() && number != 0) adjoint = adjoint + along(first, first + number);
      diagonals.push_back(etch::embed(adjoint, x.extent(), region(0, s[1] * k + first)));
    }
    return operands{diagonals.empty() ? fit(constant(*g.owner, g->type, 0), x.extent()) : sum_of(diagonals)};
  }
  static std::string describe(node const& n) {
    diagonal_numbers const d(n.attributes);
    std::string text = d.mirrored() ? "<mirrored" : "<";
    for (int k = 0; k < d.size(); ++k) text += (k > 0 ? ", " : d.mirrored() ? " " : "") + std::to_string(d[k]);
    return text + ">";
  }
};

}  // namespace op
ETCH_NAMESPACE_END
