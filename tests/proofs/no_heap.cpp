// After setup nothing allocates: calls, accumulation, optimisers, random numbers, value_and_grad
// of small and of large programs.
#include <etch/etch.hpp>
#include <etch/optim/least_squares.hpp>
#include <etch/optim/sparse_least_squares.hpp>
#include <etch/tape/kernel.hpp>

#include "../../examples/heap_count.hpp"

#include <cstdio>
#include <memory>

namespace {

using namespace etch;

template <class T>
struct mlp {
  nn::dense<T, 784, 32> hidden;
  nn::dense<T, 32, 10> output;
  ETCH_MEMBERS(mlp, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};

constexpr auto digits_loss = [](auto model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };

/// Everything a training needs, made before counting begins.
struct training {
  mlp<float> model, sums;
  tensor<float, 784, 128> x;
  tensor<int, 128> y;
  optim::sgd<mlp<float>> sgd{.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 1e-4, .nesterov = true};
  optim::adam<mlp<float>> adam;
  decltype(compile(digits_loss, model, x, y)) step = compile(digits_loss, model, x, y);
};

template <class... Op>
constexpr auto kernels_of(op_list<Op...>) {
  return fixed{dynamic::detail::kernel_of<Op, double>()...};
}
constexpr auto kernels = kernels_of(op::list{});

/// The extents of a result on `x` where the operands alone decide them, `otherwise` if they do not.
using shape_rule = shape (*)(attribute, dynamic::strided_value const* x, shape const& otherwise);
template <class Op>
shape extent_of(attribute of, dynamic::strided_value const* x, shape const& otherwise) {
  if constexpr (requires { &Op::infer; } && Op::arity != any_number)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Op::infer(of, shapes<sizeof...(I)>{x[I].extent...});
    }(std::make_index_sequence<Op::arity>{});
  else return otherwise;
}
template <class... Op>
constexpr auto rules_of_extents(op_list<Op...>) {
  return fixed{shape_rule{extent_of<Op>}...};
}
constexpr auto rules_of_extent = rules_of_extents(op::list{});

/// Operands and a result for the kernels of a tape: each op on square matrices one of which lies transposed.
struct tape_values {
  static constexpr shape square = make_shape(20, 20);
  double entries[3][20 * 21], result[20 * 42];
  int index[20];
  int computed = 0;

  tape_values() {
    for (int i = 0; i < 20 * 21; ++i)
      for (int operand = 0; operand < 3; ++operand)
        entries[operand][i] = i % 21 == 0 ? 30 : 0.01 * ((7 * i + operand) % 90);
    for (int i = 0; i < 20; ++i) index[i] = 19 - i;
  }
  void compute_all() {
    for (opcode code = 0; code < op::list::size; ++code) {
      op_facts const& facts = op_table[code];
      node n{code, element::f64, square, 0, 0, facts.arity};
      if (!dynamic::has_kernel(n) || facts.convolves != convolved::nothing) continue;
      dynamic::strided_value x[3];
      for (int i = 0; i < 3; ++i) x[i] = dynamic::contiguous(element::f64, square, entries[i]);
      std::swap(x[1].where.step[0], x[1].where.step[1]);
      std::size_t operands = facts.arity == any_number ? 3 : static_cast<std::size_t>(facts.arity);
      if (code == opcode_of<op::fill>) n.extent = {};
      if (facts.is_reduction) n.attributes = op::reduction::whole;
      if (code == opcode_of<op::embed>) n.attributes = region(0, 0);
      if (code == opcode_of<op::lu_solve> || code == opcode_of<op::lu_det>) x[0].extent = make_shape(20, 21);
      if (code == opcode_of<op::random_uniform>) x[0].extent = {}, n.attributes = op::random_stream(element::f64, 1);
      if (code == opcode_of<op::gather> || code == opcode_of<op::scatter_add>) {
        n.attributes = op::index_axis(1, 1);
        x[1] = dynamic::contiguous(element::i32, make_shape(20), index);
      }
      n.extent = rules_of_extent[code](n.attributes, x, n.extent);
      static_cast<void>(dynamic::compute<double>(kernels[code], n, dynamic::contiguous(element::f64, n.extent, result),
                                                 {x, operands}));
      ++computed;
    }
  }
};

/// A function of the user's.
struct doubled {
  template <class T>
  static void forward(std::span<T const> x, std::span<T> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  }
  template <class T>
  static void backward(std::span<T const> u, std::span<T const>, std::span<T const>, std::span<T> gx) {
    for (std::size_t i = 0; i < u.size(); ++i) gx[i] = 2 * u[i];
  }
};

int passed = 0, failed = 0;

void expect_none(char const* what, auto work) {
  long const before = heap::count();
  work();
  long const made = heap::count() - before;
  if (made != 0) std::printf("%s: %ld allocations\n", what, made);
  ++(made == 0 ? passed : failed);
}

}  // namespace

int main() {
  if (char const* reason = heap::why_not_counted()) {
    std::printf("skipped: heap allocations are %s\n", reason);
    return 77;
  }
  auto const t = std::make_unique<training>();
  long const before = heap::count();
  int* volatile const probe = new int(1);  // volatile: an allocation that is only undone may be removed
  delete probe;
  if (heap::count() == before) ++failed, std::printf("an allocation of C++ was not counted\n");

  expect_none("initialisation", [&] { nn::init::glorot_uniform(t->model, 1); });
  expect_none("a call", [&] { t->step(t->model, t->x, t->y); });
  expect_none("into", [&] { t->step(t->model, t->x, t->y, into(t->sums)); });
  expect_none("add_to", [&] { t->step(t->model, t->x, t->y, add_to(t->sums)); });
  expect_none("a target that is an argument", [&] { t->step(t->model, t->x, t->y, into(t->model)); });
  expect_none("sgd", [&] { t->sgd.update(t->model, t->step.grad<0>()); });
  expect_none("adam", [&] { t->adam.update(t->model, t->step.grad<0>()); });
  expect_none("value_and_grad of scalars",
              [&] { static_cast<void>(value_and_grad([](auto a) { return exp(a) * a; })(1.5)); });
  expect_none("value_and_grad with a workspace beyond the stack", [&] {
    static_cast<void>(grad([](auto a) { return sum(square(a * tanh(transpose(a)))); })(t->model.hidden.weight));
  });
  expect_none("a kernel", [&] {
    static_cast<void>(grad([](auto a) { return sum(kernel<doubled>(tanh(a))); })(t->model.hidden.weight));
  });
  expect_none("Eigen arguments", [&] {
    Eigen::Matrix<double, 8, 8> const m = Eigen::Matrix<double, 8, 8>::Identity();
    static_cast<void>(grad([](auto a) { return sum(a * a * a); })(m));
  });
  auto const chain = [](auto x) {
    return std::tuple(10.0 * (slice<0, 1, 29>(x) - square(slice<0, 0, 29>(x))), 1.0 - x);
  };
  tensor<double, 30> v;
  for (int i = 0; i < 30; ++i) v(i) = 0.9;
  auto dense = optim::least_squares(chain, v);
  auto sparse = optim::sparse_least_squares(chain, v);
  expect_none("least squares", [&] { static_cast<void>(dense.minimise({.most_iterations = 2}, v)); });
  expect_none("sparse least squares", [&] { static_cast<void>(sparse.minimise({.most_iterations = 2}, v)); });
  auto const values = std::make_unique<tape_values>();
  expect_none("kernels of a tape", [&] { values->compute_all(); });
  if (values->computed < 75) ++failed, std::printf("only %d kernels of a tape were computed\n", values->computed);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
