// call_names: what the leaves and outputs of a program are called, for sentences about a call that has run.
#pragma once

#include <etch/compile/leaf_text.hpp>
#include <etch/compile/trace.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>

ETCH_NAMESPACE_BEGIN

template <int... I>
struct wrt;

namespace run {

/// The names in a program with gradients at the positions in `Wrt`, and arguments of types `A`, of which the first are
/// `Parts` of later ones.
template <class Wrt, class Parts, class... A>
struct call_names;
template <int... I, class Parts, class... A>
struct call_names<wrt<I...>, Parts, A...> {
  static std::string leaf(int i) { return std::string(etch::detail::leaf_text<Parts, A...>(i)); }
  /// Of outputs, those from `results` on are gradients.
  static std::string output(int i, int results) {
    if (i >= results) return "gradient" + leaf(leaves_with_gradient()[static_cast<std::size_t>(i - results)]).substr(8);
    return i == 0 ? "value" : "result " + std::to_string(i);
  }
  static bool is_turned(int leaf) {
    leaf_list const all = leaves();
    return std::find(all.turned.begin(), all.turned.end(), leaf) != all.turned.end();
  }
  static int gradient_count() {
    constexpr std::size_t count = leaves_with_gradient().size();
    return static_cast<int>(count);
  }

 private:
  struct leaf_list {
    graph inputs;
    sequence<int> first;  ///< leaf of every argument, and their number
    sequence<int> turned;
  };
  static constexpr leaf_list leaves() {
    leaf_list all;
    int position = 0;
    [[maybe_unused]] pass::turned_leaf_maker<pass::program_leaf_maker> const make{{{&all.inputs, &position}},
                                                                                  &all.turned};
    ((all.first.push_back(position), static_cast<void>(argument<A>::trace(make))), ...);
    all.first.push_back(position);
    return all;
  }
  static constexpr sequence<int> leaves_with_gradient() {
    leaf_list const all = leaves();
    sequence<char> floating = sequence<char>::zeros(static_cast<std::size_t>(all.first.back()));
    for (node const& n : all.inputs.nodes)
      if (n.op == opcode_of<op::input>) floating[static_cast<std::size_t>(n.attributes)] = is_floating(n.type);
    sequence<int> found;
    for (int argument : std::initializer_list<int>{I...})
      for (int i = all.first[static_cast<std::size_t>(argument)]; i < all.first[static_cast<std::size_t>(argument) + 1];
           ++i)
        if (floating[static_cast<std::size_t>(i)]) found.push_back(i);
    return found;
  }
};

}  // namespace run
ETCH_NAMESPACE_END
