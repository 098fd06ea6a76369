// After setup nothing allocates: calls, accumulation, optimisers, random numbers, value_and_grad of small and of large programs.
#include <etch/etch.hpp>

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
  expect_none("value_and_grad of scalars", [&] { static_cast<void>(value_and_grad([](auto a) { return exp(a) * a; })(1.5)); });
  expect_none("value_and_grad with a workspace beyond the stack", [&] { static_cast<void>(grad([](auto a) { return sum(square(a * tanh(transpose(a)))); })(t->model.hidden.weight)); });
  expect_none("Eigen arguments", [&] {
    Eigen::Matrix<double, 8, 8> const m = Eigen::Matrix<double, 8, 8>::Identity();
    static_cast<void>(grad([](auto a) { return sum(a * a * a); })(m));
  });
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
