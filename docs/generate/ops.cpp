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
  return op.is_nullary || op.is_view || op.is_assembly ? "its own parameter, checked against the operand"
                                                       : "see the definition";
}

/// How a user writes `Op`; empty where no function gives it alone. An op that is neither element-wise nor a reduction
/// says so itself.
template <class Op>
std::string call_of() {
  if constexpr (requires { Op::call; }) {
    return Op::call;
  } else if constexpr (requires { Op::part_of; }) {
    return "";
  } else {
    static_assert(is_a<Op, elementwise_kind> || is_a<Op, reduction_kind>,
                  "this op needs `call`, what a user writes, or `part_of`");
    if constexpr (is_a<Op, reduction_kind>) return std::string(Op::name) + "<0>(x)";
    else return std::string(Op::name) + (Op::arity == 1 ? "(x)" : Op::arity == 2 ? "(a, b)" : "(a, b, c)");
  }
}

template <class Op>
void print_row(std::map<std::string, std::string> const& accuracies) {
  op_facts const& op = op_table[opcode_of<Op>];
  op_text const& text = text_table[opcode_of<Op>];
  if (call_of<Op>().empty()) return;
  std::cout << "| `" << op.name << "` | `" << call_of<Op>() << "` | " << without_bars(text.formula) << " | ";
  if constexpr (requires { Op::domain; }) std::cout << "[" << Op::domain.low << ", " << Op::domain.high << "]";
  std::cout << " | "
            << (op.is_nullary       ? "-"
                : op.differentiable ? "any order"
                                    : "none, or 0")
            << " | " << without_bars(text.kinks) << " | " << shape_rule(op) << " | "
            << (accuracies.contains(op.name) ? accuracies.at(op.name) : "") << " |\n";
}

template <class... Op>
void print_section(op_list<Op...>, char const* title, auto belongs,
                   std::map<std::string, std::string> const& accuracies) {
  std::cout << "\n## " << title
            << "\n\n| op | call | definition | tested on | derivatives | at kinks and edges | shape of the result | "
               "ulp: float, double |\n"
               "|---|---|---|---|---|---|---|---|\n";
  (((belongs(op_table[opcode_of<Op>]) ? print_row<Op>(accuracies) : void())), ...);
}

template <class... Op>
void print_parts(op_list<Op...>) {
  std::cout << "\n## Nodes of programs that are no functions\n\nThe text and the picture of a program show these names "
               "beside those above.\n\n"
               "| node | definition | part of |\n|---|---|---|\n";
  auto const print = []<class Each>(std::type_identity<Each>) {
    if constexpr (requires { Each::part_of; })
      std::cout << "| `" << Each::name << "` | " << without_bars(Each::formula) << " | " << Each::part_of << " |\n";
  };
  (print(std::type_identity<Op>{}), ...);
}

}  // namespace

int main(int count, char** arguments) {
  auto const accuracies = read_accuracies(count > 1 ? arguments[1] : "docs/accuracy.md");
  std::cout << R"(# Operations

Generated from the op list (`include/etch/op/ops.hpp`) by `docs/generate/ops.cpp`.

**Broadcasting.** Operations entry by entry take operands of different shapes where along every axis the extents are equal, or one of them is 1; the result has the larger
one. Axes are counted from the first, and those that a shape lacks behind its last have extent 1: `[n]` meets `[n, m]` column by column, `[1, m]` row by
row, and a number meets any shape. Anything else does not compile (`shapes_do_not_broadcast`, [errors.md](errors.md#shapes_do_not_broadcast)). The gradient of an operand is added up along the axes where it was repeated.

**Derivatives at kinks** follow one principle: the derivative where there is one; the subgradient of least norm at a convex kink, the supergradient at a concave one; else the
limit by continuity; else NaN. The gradient of an undefined value is NaN. [accuracy.md](accuracy.md) says how accurate values and derivatives are, and how
that is measured.

Every call shown here is compiled and run, as a program and on a tape (`tests/docs/calls.sh`), with matrices `x`, `a`, `b`, a
positive definite one `s` and a lower triangular one `l`, all [4, 4]; vectors `u` and `v` of 4; an `image` [4, 4, 2, 2], a `sequence` [4, 2, 2], a
`kernel` [3, 3, 2, 2] and a `filter` [3, 2, 2]; integers `index` [3], `labels` [4], and a `key`. Functions are found by their traced
arguments; where there is none they need `etch::` in front.
)";
  print_section(op::list{}, "Entry by entry", [](op_facts const& op) { return op.is_elementwise; }, accuracies);
  print_section(
      op::list{}, "Reductions and what is made of them",
      [](op_facts const& op) { return op.is_reduction || op.is_composite; }, accuracies);
  print_section(
      op::list{}, "Shapes", [](op_facts const& op) { return op.is_view || op.is_assembly || op.is_nullary; },
      accuracies);
  print_section(
      op::list{}, "Matrices, images, indices, sums along an axis, random numbers",
      [](op_facts const& op) { return op.is_product || op.is_block; }, accuracies);
  std::cout << R"(
## Functions made of these

| function | for instance | what it is |
|---|---|---|
| `mean` `variance` `var` `stddev` | `mean(x)` `mean<0>(x)` `variance(x)` `variance<1>(x, 1)` `stddev<0, 1>(x)` `var<0>(x)` | statistics of all entries or along axes; the second argument is `ddof`, 0: of a population, 1: of a sample; `var` without `etch::` |
| `dot` `squared_norm` `normalize` `outer` `kron` `quadratic_form` `trace` | `dot(u, v)` `squared_norm<0>(x)` `normalize(u)` `normalize<0>(x)` `outer(u, v)` `kron(a, b)` `quadratic_form(u, s)` `trace(a)` | products of vectors and matrices; `normalize` divides by the norm, and leaves zeros zeros, with gradient 0 |
| `lstsq` | `lstsq(s, u)` `lstsq(s, x)` | least squares by `qr`; with fewer rows than columns the least solution |
| `matmul` `einsum` | `matmul(a, b)` `einsum<"ij,jk->ik">(a, b)` `einsum<"ii->">(a)` `einsum<"ij,ik,k->j">(a, b, u)` | products over any axes: a letter for each axis, behind `->` those of the result; the others are added up. What is a product of matrices becomes one |
| `conv2d` | `conv2d(image, kernel)` `conv2d<2, 1, 1, 1>(image, kernel)` | `<Stride = 1, Padding = 0, Dilation = 1, Groups = 1>` images `[width, height, channels, batch]` with a kernel `[width, height, channels of a group, channels of the result]`, which is not flipped; zeros around the image |
| `conv1d` | `conv1d<1, 1>(sequence, filter)` | the same for sequences `[length, channels, batch]` with a kernel `[length, channels of a group, channels of the result]` |
| `conv_transpose2d` | `conv_transpose2d<2, 1, 1, 1, 1>(image, kernel)` | `<Stride, Padding, Dilation, Groups, More = 0>` the adjoint of `conv2d` in its image, as a map to larger images; `More` entries behind the last |
| `max_pool` `avg_pool` | `max_pool<2>(image)` `avg_pool<2, 1>(image)` | `<Size, Stride = Size>` windows that the image has no room for are left out |
| `prod` | `prod(x)` `prod<0>(x)` | product of entries, right where entries are zero, to any order |
| `pow` | `pow(x, 3)` | of an integer exponent: products by repeated squaring |
| `max` `min` `where` `clip` | `max(a, b)` `min(a, 1)` `where(a < b, a, b)` `clip(x, 0, 1)` | other names of `maximum`, `minimum`, `select` and `clamp` |
| masks | `a < b` `a <= b` `a > b` `a >= b` `a == b` `a != b` `a < b && b < 1` `a < b \|\| a > 1` `!(a < b)` | 0 and 1 in the operands' element type |
| `sort` `argsort` | `sort(u)` `sort<1>(x)` `argsort<0>(x)` | ascending, along the first axis or that named; equal entries in their order, NaN last; the gradient goes back to where each entry came from |
| `slice` `split` `row` `col` | `slice<0, 1, 3>(x)` `slice<0, 0, 2, 2>(x)` `split<0, 2>(x)[1]` `row<1>(x)` `col<2>(x)` `x(1, 2)` | views: `slice<Axis, Begin, Count, Step = 1>`, `split<Axis, Parts>` |
| `concat` `concatenate` `stack` `pad` `roll` | `concat<0>(a, b)` `concatenate(a, b)` `stack<2>(a, b)` `pad<0, 1, 2>(x)` `pad<1, 0, 1>(x, 0.5)` `roll<0, 1>(x)` | parts, each computed in its place, numbers among them too: `pad<Axis, Before, After>`, `roll<Axis, Shift>`; along the first axis where none is named; `concatenate` is `concat` |
| `reshape` `flatten` `broadcast` `permute` `reverse` `flip` | `reshape<2, -1>(x)` `flatten(x)` `broadcast<4, 3>(u)` `permute<1, 0>(x)` `reverse<0>(x)` `flip(x)` | shapes; one of the extents of `reshape` may be -1; `flip` is `reverse` |
| `repeat` `tile` `tril` `triu` `diagonal` | `repeat<0, 2>(x)` `tile<1, 2>(x)` `tril(x)` `triu<1>(x)` `diagonal(x)` | copies and parts: `repeat<Axis, Count>`, `tile<Count0, Count1, ...>` with a count for each axis, `tril<K = 0>` up to the K-th diagonal |
| `gather` `one_hot` | `gather<0>(x, index)` `one_hot<5, double>(labels)` | indices known at run time |
| `random_uniform` `random_normal` `dropout` | `random_uniform<double, 4>(key)` `random_normal<double, 4, 4>(etch::random_key(key).fold(1))` `dropout(x, key, 0.5)` | a function of the key alone, an integer that the loss is called with, or `random_key(key).fold(n)`: other numbers for each n |
| `scan` `repeat` `checkpoint` | `scan([](auto h, auto c) { return tanh(h + c); }, u, x)` `repeat<3>([](auto h) { return sin(h); }, u)` `etch::checkpoint([](auto c) { return exp(c); })(x)` | loops and what is computed again: [memory.md](memory.md#loops) |
| `linspace` | `linspace<5>(u(0), 1)` `linspace<3>(0, norm(u))` | `N` numbers at equal distances from the first argument to the second; of plain numbers a plain tensor |
| `identity` `zeros` `ones` `full` | `etch::identity<4>() * 2 + x` `x + etch::zeros<4, 4>()` `x + etch::ones<4, 4>()` `x + etch::full<4, 4>(0.5)` | constants; they, and what follows from them alone, take the element type that they meet |

## What a select did not take

Of the branch that `select` did not take nothing arrives: not its value, not its gradient, and no zero that would meet an infinite derivative
on its way back. That holds in programs, on tapes, in blocks and in constant evaluation, at every order, however often an intermediate value
is used. What an op between the choice and the value lets through:

| between them | what holds |
|---|---|
| ops entry by entry, views, broadcasts, indices, `gather`, `concat` | each entry by itself |
| reductions, running sums, norms, variances, `softmax` and its kin | an entry of a sum that was not taken, and all that it was computed from |
| `scan`, `repeat`, `map`, `sum_map`, `checkpoint` | each entry of each step |
| `t.apply`, `t.checkpoint` | each entry; a result from which nothing comes back is nothing too |
| `cond`, `while_loop` | the branch, or the steps, that did not run do not exist |
| `custom_vjp`, `custom_jvp` | each entry, where all that follows from the adjoint is computed entry by entry. Otherwise nothing arrives where none of its entries did; where some did, the others are zeros to the rule, and 0 · inf is NaN |
| `kernel` | nothing arrives where none of its entries did; where some did, the others are zeros in `u`, and 0 · inf is NaN |
| `t.external` | its `pullback` is not called where nothing arrived at all; else it is given zeros |
| matrix products, convolutions, pooling, `solve`, `inverse`, `det`, `cholesky`, `eigh`, `svd`, `qr` and their kin | the value as a whole: nothing arrives where one condition decides on all of it. Where only some entries were not taken, these are zeros to the rule, and 0 · inf is NaN: mask the operand instead |

An entry that nothing reads, such as `log(x)(1)` of `x(0)`, is no choice: there a zero comes back, and 0 · inf is NaN unless a `select` stands around it.

## What a condition is made of

What a comparison, a rounding (`floor`, `sign`) or the condition of a `select` is made of, entry by entry, is computed as it is written, through loops and within blocks of a tape too, so that t = `square(x) - square(y)` is 0
where x = y in `select(t != 0, 1 / t, 0)`, and all parts of a program agree on it. Not so what lies behind a sum along an axis, `max`, `min`, `sort` or `gather`, or in another block of a tape than the condition; parts of a product
(`square(x)(0)`) and outer products in programs of a few numbers; and statements of numbers on a tape. A division by a constant, or of many entries by one number, is a multiplication by its inverse, so `floor(x / 49)` of a tensor
may be one less than that of a number. Elsewhere g++ contracts products and sums to one operation where the machine has one (its default, `-ffp-contract=fast`), so the last digit may differ from what another compiler gives;
`-ffp-contract=off` forbids it. clang contracts nothing here, unless that option tells it to, which nothing prevents.
)";
  print_parts(op::list{});
}
