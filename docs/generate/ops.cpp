// ops: prints docs/ops.md from the op list and the measured accuracies. Usage: ops docs/accuracy.md
#include <etch/etch.hpp>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

namespace {

using namespace etch;

/// Columns "float" and "double" of the values' table in docs/accuracy.md, by function.
std::map<std::string, std::string> read_accuracies(char const* path) {
  std::map<std::string, std::string> accuracies;
  std::ifstream page(path);
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) {
      std::size_t const first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    if (cells.size() >= 4 && cells[0] != "function") accuracies[cells[0]] = cells[2] + ", " + cells[3];
  }
  return accuracies;
}

std::string without_bars(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

char const* shape_rule(op_facts const& op) {
  if (op.is_elementwise) return op.arity == 1 ? "of x" : "operands broadcast";
  if (op.is_reduction) return "axes named become 1; none named: a scalar";
  return op.is_nullary || op.is_view || op.is_assembly ? "its own parameter, checked against the operand" : "see the definition";
}

template <class Op>
void print_row(std::map<std::string, std::string> const& accuracies) {
  op_facts const& op = op_table[opcode_of<Op>];
  std::cout << "| `" << op.name << "` | " << without_bars(op.formula) << " | ";
  if constexpr (requires { Op::domain; }) std::cout << "[" << Op::domain.low << ", " << Op::domain.high << "]";
  std::cout << " | "
            << (op.is_nullary       ? "-"
                : op.differentiable ? "any order"
                                    : "none, or 0")
            << " | " << without_bars(op.kinks) << " | " << shape_rule(op) << " | "
            << (accuracies.contains(op.name) ? accuracies.at(op.name) : "") << " |\n";
}

template <class... Op>
void print_section(op_list<Op...>, char const* title, auto belongs, std::map<std::string, std::string> const& accuracies) {
  std::cout << "\n## " << title
            << "\n\n| op | definition | tested on | derivatives | at kinks and edges | shape of the result | ulp: float, double |\n"
               "|---|---|---|---|---|---|---|\n";
  (((belongs(op_table[opcode_of<Op>]) ? print_row<Op>(accuracies) : void())), ...);
}

}  // namespace

int main(int count, char** arguments) {
  auto const accuracies = read_accuracies(count > 1 ? arguments[1] : "docs/accuracy.md");
  std::cout << "# Operations\n\nGenerated from the op list (`include/etch/op/ops.hpp`) by `docs/generate/ops.cpp`. How accurate values and "
               "derivatives are, and "
               "how that is\nmeasured, says [accuracy.md](accuracy.md). Derivatives at kinks follow one principle: the derivative where "
               "there is one; the "
               "subgradient of\nleast norm at a convex kink, the supergradient at a concave one; else the limit by continuity; else NaN. "
               "The gradient of an "
               "undefined value is NaN.\n";
  print_section(
      op::list{}, "Entry by entry", [](op_facts const& op) { return op.is_elementwise; }, accuracies);
  print_section(
      op::list{}, "Reductions and what is made of them", [](op_facts const& op) { return op.is_reduction || op.is_composite; }, accuracies);
  print_section(
      op::list{}, "Shapes", [](op_facts const& op) { return op.is_view || op.is_assembly || op.is_nullary; }, accuracies);
  print_section(
      op::list{}, "Matrices, images, indices, sums along an axis, random numbers", [](op_facts const& op) { return op.is_product || op.is_block; }, accuracies);
  std::cout << R"(
## Functions made of these

| function | what it is |
|---|---|
| `mean<Axis...>(x)` `variance<Axis...>(x, ddof = 0)` (or `var<Axis...>(x)`, without `etch::`) `stddev<Axis...>(x, ddof = 0)` | statistics; `ddof` 0: of a population, 1: of a sample |
| `dot(a, b)` `squared_norm(x)` `outer(a, b)` `quadratic_form(x, A)` `trace(A)` | products of vectors and matrices |
| `conv2d<Stride = 1, Padding = 0, Dilation = 1, Groups = 1>(x, kernel)` | images `[width, height, channels, batch]` with a kernel `[width, height, channels of a group, channels of the result]`, which is not flipped; zeros around the image |
| `conv1d<Stride = 1, Padding = 0, Dilation = 1, Groups = 1>(x, kernel)` | the same for sequences `[length, channels, batch]` with a kernel `[length, channels of a group, channels of the result]` |
| `conv_transpose2d<Stride = 1, Padding = 0, Dilation = 1, Groups = 1, More = 0>(x, kernel)` | the adjoint of `conv2d` in its image, as a map to larger images; `More` entries behind the last |
| `max_pool<Size, Stride = Size>(x)` `avg_pool<Size, Stride = Size>(x)` | windows that the image has no room for are left out |
| `prod<Axis...>(x)` | product of entries, right where entries are zero, to any order |
| `pow(x, n)` for an integer n | products by repeated squaring |
| `a < b` `<=` `>` `>=` `==` `!=` `&&` `\|\|` `!` | masks of 0 and 1 in the operands' element type |
| `slice<Axis, Begin, Count, Step = 1>(x)` `split<Axis, N>(x)` `row<I>(x)` `col<J>(x)` `x(i, j)` | views |
| `concat<Axis>(a, b, ...)` `stack<Axis>(a, b, ...)` `pad<Axis, Before, After>(x, value = 0)` | parts, each computed in its place; numbers may be among them |
| `reshape<Dims...>(x)` `flatten(x)` `broadcast<Dims...>(x)` `permute<Axis...>(x)` `reverse<Axis...>(x)` | shapes; one of `Dims` may be -1 |
| `repeat<Axis, Count>(x)` `tile<Count...>(x)` `tril<K>(x)` `triu<K>(x)` `diagonal(x)` | copies and parts |
| `gather<Axis>(x, indices)` `one_hot<N>(labels)` | indices known at run time |
| `random_uniform<T, Dims...>(key)` `random_normal<T, Dims...>(key)` `dropout(x, key, rate)` | a function of the key alone, an integer that the loss is called with, or `random_key(key).fold(n)`: other numbers for each n |
| `scan(f, init, xs)` `repeat<Count>(f, init)` `checkpoint(f)` | loops and what is computed again: [memory.md](memory.md#loops) |
| `identity<N>()` `zeros<Dims...>()` `ones<Dims...>()` `full<Dims...>(value)` | constants; they, and what follows from them alone, take the element type that they meet |
)";
}
