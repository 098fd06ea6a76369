// value_names: what the values of a program are called in pictures: by their operation, arguments by their members.
#pragma once

#include <etch/view/anatomy.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

using name_list = std::vector<std::string>;  // by value

/// How often each name was asked for.
class name_counter {
 public:
  /// The number of calls before this one with the same name.
  int before(std::string const& name) {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return ++count_[i];
    names_.push_back(name);
    count_.push_back(0);
    return 0;
  }

 private:
  name_list names_;
  std::vector<int> count_;
};

/// The operation of a node as a name: `tanh`, `sum<1>`; of a constant its number.
inline std::string plain_name_of(node const& n) {
  std::string const text = operation_of(n);
  return text.starts_with("fill ") ? text.substr(5) : text;
}

/// A name for every value of a graph: its operation, numbered from the second of the same operation on: `tanh`,
/// `tanh 2`. Constants and inputs are not numbered.
inline name_list names_of_operations(graph_view g) {
  name_list names;
  name_counter count;
  for (int id = 0; id < g.size(); ++id) {
    std::string name = plain_name_of(g[id]);
    int const before = facts_of(g[id]).is_nullary ? 0 : count.before(name);
    names.push_back(before == 0 ? name : name + " " + std::to_string(before + 1));
  }
  return names;
}

/// The short name of the argument at `place`, which is `argument 0.hidden.weight`: `hidden.weight` where no other
/// argument has that path, and the place itself where the path has no member.
inline std::string name_of_argument(anatomy const& a, std::string const& place) {
  auto const members = [](std::string const& of) {
    std::size_t const at = of.find_first_of(".[");
    return at == std::string::npos || of[at] == '[' ? std::string() : of.substr(at + 1);
  };
  std::string const path = members(place);
  int same = 0;
  for (shown_value const& v : a.values) same += v.given && members(v.place) == path;
  return path.empty() || same > 1 ? place : path;
}

/// Names within the body of the loop at node `loop`: its inputs by what feeds them, all others by their operation.
inline name_list names_of_steps(graph_view g, int loop, loop_body const& l, name_list const& outside) {
  graph_view const body = l.body;
  name_list names = names_of_operations(body);
  int carry = 0;
  for (int id = 0; id < body.size(); ++id) {
    if (body[id].op != opcode_of<op::input>) continue;
    auto const position = static_cast<std::size_t>(body[id].attributes);
    std::string const fed = outside[static_cast<std::size_t>(g.operands(loop)[position])];
    switch (l.in[position]) {
      case loop_input::carry:
        names[static_cast<std::size_t>(id)] = carry++ == 0 ? "carry" : "carry " + std::to_string(carry);
        break;
      case loop_input::slice:
        names[static_cast<std::size_t>(id)] = "slice of " + fed;
        break;
      case loop_input::captured:
        names[static_cast<std::size_t>(id)] = fed;
        break;
      case loop_input::before:
        names[static_cast<std::size_t>(id)] = "slice before, of " + fed;
        break;
      case loop_input::after:
        names[static_cast<std::size_t>(id)] = "slice after, of " + fed;
        break;
    }
  }
  return names;
}

/// Names of a program's values: arguments by their members, what a loop leaves by the value of its steps, all others by
/// their operation.
inline name_list names_of_values(anatomy const& a) {
  graph_view const g = a.graph;
  name_list names = names_of_operations(g);
  name_counter count;
  for (int id = 0; id < g.size(); ++id) {
    std::string& name = names[static_cast<std::size_t>(id)];
    if (a.values[static_cast<std::size_t>(id)].given)
      name = name_of_argument(a, a.values[static_cast<std::size_t>(id)].place);
    if (!facts_of(g[id]).is_result) continue;
    int const loop = g.operands(id)[0];
    loop_body const l = loop_at(g, loop);
    auto const r = static_cast<std::size_t>(g[id].attributes);
    name = names_of_steps(g, loop, l, names)[static_cast<std::size_t>(l.body.outputs[r])] +
           (l.out[r] == loop_output::carry   ? ", last"
            : l.out[r] == loop_output::stack ? ", all steps"
                                             : ", summed");
    if (int const before = count.before(name); before > 0) name += " (" + std::to_string(before + 1) + ")";
  }
  return names;
}

/// A text in which values are named instead of numbered: every `%3` is replaced by the name of value 3.
inline std::string with_names(std::string const& text, name_list const& names) {
  std::string named;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      named += text[i];
      continue;
    }
    std::size_t id = 0;
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9')
      id = id * 10 + static_cast<std::size_t>(text[++i] - '0');
    named += names[id];
  }
  return named;
}

/// The expression that computes node `id`: `matmul(hidden.weight, argument 1)`.
inline std::string expression_of(graph_view g, int id, name_list const& names) {
  std::string text = operation_of(g[id]);
  char const* before = "(";
  for (int operand : g.operands(id)) {
    text += before + names[static_cast<std::size_t>(operand)];
    before = ", ";
  }
  return g[id].arity > 0 ? text + ")" : text;
}

}  // namespace detail
ETCH_NAMESPACE_END
