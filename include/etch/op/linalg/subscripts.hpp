// subscripts: what the letters of an einsum say, and in which order its products are made. All of it is known at
// compile time.
#pragma once

#include <etch/graph/term.hpp>

#include <algorithm>
#include <string_view>

ETCH_NAMESPACE_BEGIN

/// The text of an einsum as a template argument.
template <std::size_t N>
struct subscripts {
  char text[N]{};

  consteval subscripts(char const (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The letters of some axes, in their order. Two operands together have twice as many as a tensor.
struct letters {
  int count = 0;
  fixed<char, 2 * max_rank> each{};

  constexpr void add(char c) {
    if (count < 2 * max_rank) each.entry[count++] = c;
  }
  constexpr void remove(int at) {
    for (--count; at < count; ++at) each.entry[at] = each.entry[at + 1];
    each.entry[count] = 0;
  }
  /// Where the letter stands first; -1 if nowhere.
  constexpr int find(char c) const {
    for (int i = 0; i < count; ++i)
      if (each.entry[i] == c) return i;
    return -1;
  }
  constexpr bool has(char c) const { return find(c) >= 0; }
  /// These, and then those of `more` that are not among them.
  constexpr letters with(letters const& more) const {
    letters all = *this;
    for (int i = 0; i < more.count; ++i)
      if (!all.has(more.each.entry[i])) all.add(more.each.entry[i]);
    return all;
  }
  /// Those of `which` that are among these, in the order that `like` has as far as it has them.
  constexpr letters among(letters const& which, letters const& like) const {
    letters kept;
    letters const ordered = like.with(which);
    for (int i = 0; i < ordered.count; ++i)
      if (which.has(ordered.each.entry[i]) && has(ordered.each.entry[i])) kept.add(ordered.each.entry[i]);
    return kept;
  }
};

inline constexpr int most_operands = 8;

/// The letters of each operand, and of the result.
struct einsum_form {
  int operands = 0;
  fixed<letters, most_operands> of{};
  letters result{};
  bool well_formed = true;

  constexpr explicit einsum_form(std::string_view text) {
    std::size_t const arrow = std::min(text.find("->"), text.size());
    letters* group = &of.entry[operands++];
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      if (i == arrow) {
        group = &result;
        ++i;
      } else if (text[i] == ',' && i < arrow && operands < most_operands) {
        group = &of.entry[operands++];
      } else if (is_letter(text[i]) && group->count < 2 * max_rank) {
        group->add(text[i]);
      } else {
        well_formed = false;
      }
    }
    if (arrow == text.size()) result = once();
    for (int i = 0; i < result.count; ++i)
      if (result.find(result.each.entry[i]) != i || occurrences(result.each.entry[i]) == 0) well_formed = false;
    if (result.count > max_rank) well_formed = false;
  }

 private:
  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  constexpr int occurrences(char c) const {
    int n = 0;
    for (int o = 0; o < operands; ++o)
      for (int i = 0; i < of.entry[o].count; ++i) n += of.entry[o].each.entry[i] == c;
    return n;
  }
  /// The letters that occur once, in alphabetical order.
  constexpr letters once() const {
    letters all;
    for (int c = 'A'; c <= 'z'; ++c)
      if (occurrences(static_cast<char>(c)) == 1) all.add(static_cast<char>(c));
    return all;
  }
};

enum class einsum_mistake { none, malformed, does_not_fit, two_extents };

/// The extent of the axes with a letter.
constexpr int extent_of(char c, einsum_form const& form, const_span<shape> x) {
  for (int o = 0; o < form.operands; ++o)
    if (int const axis = form.of.entry[o].find(c); axis >= 0) return x[static_cast<std::size_t>(o)][axis];
  return 1;
}

constexpr einsum_mistake mistake_in(einsum_form const& form, const_span<shape> x) {
  if (!form.well_formed) return einsum_mistake::malformed;
  if (form.operands != static_cast<int>(x.size())) return einsum_mistake::does_not_fit;
  for (int o = 0; o < form.operands; ++o)
    if (form.of.entry[o].count != x[static_cast<std::size_t>(o)].rank) return einsum_mistake::does_not_fit;
  for (int o = 0; o < form.operands; ++o)
    for (int axis = 0; axis < form.of.entry[o].count; ++axis)
      if (x[static_cast<std::size_t>(o)][axis] != extent_of(form.of.entry[o].each.entry[axis], form, x))
        return einsum_mistake::two_extents;
  return einsum_mistake::none;
}

/// The product of two parts, which takes the place of the first, while the last part takes that of the second. Of its
/// letters those in `keep` stay, which other parts or the result have.
struct einsum_step {
  int first = 0, second = 0;
  letters keep{};
};
struct einsum_plan {
  bool exists = true;  ///< whether no intermediate has more axes than a tensor
  int steps = 0;
  fixed<einsum_step, most_operands> step{};
  shape result{};  ///< its axis that is counted is `two_counts` where there would be two
};

/// The products in a cheap order: always the pair with the fewest multiplications, of equal ones that with the smaller
/// result.
constexpr einsum_plan plan_of(einsum_form const& form, const_span<shape> x) {
  einsum_plan plan;
  for (int i = 0; i < form.result.count; ++i)
    plan.result[plan.result.rank++] = extent_of(form.result.each.entry[i], form, x);
  for (int o = 0; o < form.operands; ++o)
    if (int const counted = x[static_cast<std::size_t>(o)].counted; counted != 0)
      if (int const at = form.result.find(form.of.entry[o].each.entry[counted - 1]) + 1; at != 0)
        plan.result.counted = joined_counts(plan.result.counted, at);
  auto const entries = [&](letters const& of) {
    double n = 1;
    for (int i = 0; i < of.count; ++i) n *= extent_of(of.each.entry[i], form, x);
    return n;
  };
  fixed<letters, most_operands> part{};
  for (int o = 0; o < form.operands; ++o) part.entry[o] = letters{}.with(form.of.entry[o]);
  for (int count = form.operands; count > 1; --count) {
    einsum_step best{-1, -1, {}};
    letters made{};
    double least = 0, smallest = 0;
    for (int first = 0; first < count; ++first)
      for (int second = first + 1; second < count; ++second) {
        letters const both = part.entry[first].with(part.entry[second]);
        letters keep{};
        for (int i = 0; i < both.count; ++i) {
          bool needed = form.result.has(both.each.entry[i]);
          for (int o = 0; o < count; ++o)
            needed = needed || (o != first && o != second && part.entry[o].has(both.each.entry[i]));
          if (needed) keep.add(both.each.entry[i]);
        }
        if (keep.count > max_rank) continue;
        double const cost = entries(both), size = entries(keep);
        if (best.first >= 0 && (cost > least || (cost == least && size >= smallest))) continue;
        best = {first, second, keep};
        made = keep;
        least = cost, smallest = size;
      }
    if (best.first < 0) {
      plan.exists = false;
      return plan;
    }
    plan.step.entry[plan.steps++] = best;
    part.entry[best.first] = made;
    part.entry[best.second] = part.entry[count - 1];
  }
  return plan;
}

}  // namespace detail
ETCH_NAMESPACE_END
