// Programs of a network: what its gradients cost, and that a struct gets them member by member.
#include <etch/etch.hpp>

#include <doctest/doctest.h>

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

using images = tensor<float, 784, 128>;
using labels = tensor<int, 128>;

constexpr auto digits_loss = [](auto model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };
using digits_program = decltype(compile(digits_loss, mlp<float>{}, images{}, labels{}));
using digits_with_images = decltype(compile<wrt<0, 1>>(digits_loss, mlp<float>{}, images{}, labels{}));

consteval int products(graph_view g) {
  int count = 0;
  for (node const& n : g.nodes) count += n.op == opcode_of<op::matmul>;
  return count;
}
constexpr std::int64_t big_product = std::int64_t{2} * 32 * 784 * 128;

// An argument outside wrt costs nothing: asking for d/dx as well adds exactly its product.
static_assert(products(digits_program::executable::graph) == 5);
static_assert(products(digits_with_images::executable::graph) == 6);
static_assert(digits_program::facts.flops < 2 * big_product + big_product / 10);
static_assert(digits_with_images::facts.flops == digits_program::facts.flops + big_product);
static_assert(digits_program::facts.workspace_bytes <= 64 * 1024);
static_assert(digits_program::facts.nodes == digits_program::executable::graph.view().size());

// No buffer of the shape of x exists: nothing but the workspace holds intermediate values, and it is smaller than x.
static_assert(digits_program::facts.workspace_bytes < static_cast<std::int64_t>(sizeof(images)) / 8);

}  // namespace

TEST_CASE("a struct's member that does not matter has gradient zero") {
  auto const model = std::make_unique<mlp<float>>();
  auto const step =
      std::make_unique<decltype(compile([](auto m) { return sum(square(m.output.bias + 1)); }, *model))>();
  CHECK((*step)(*model) == 10);
  for (float g : step->grad<0>().output.bias) CHECK(g == 2);
  for (float g : step->grad<0>().hidden.weight) CHECK(g == 0);
  auto const sums = std::make_unique<mlp<float>>();
  sums->hidden.weight.fill(3);
  (*step)(*model, add_to(*sums));
  CHECK(sums->hidden.weight(1, 1) == 3);
  (*step)(*model, into(*sums));
  CHECK(sums->hidden.weight(1, 1) == 0);
}
