// Programs that OpenMP's threads share: no allocation after the first call, and the same bits with one thread, with
// many, from within a parallel region, and without OpenMP.
#include <etch/etch.hpp>
#include <etch/parallel.hpp>

#include "../../examples/heap_count.hpp"

#include <omp.h>

#include <cstdio>
#include <cstring>

namespace {

using namespace etch;

template <class T>
struct mlp {
  nn::dense<T, 196, 32> hidden;
  nn::dense<T, 32, 10> output;
  ETCH_MEMBERS(mlp, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
constexpr auto loss = [](auto model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };

mlp<float> model, gradient;
tensor<float, 196, 128> x;
tensor<int, 128> y;
constinit auto threads = parallel<4>(compile(loss, mlp<float>{}, tensor<float, 196, 128>{}, tensor<int, 128>{}));
constinit auto in_turn =
    parallel<4, workers::in_turn>(compile(loss, mlp<float>{}, tensor<float, 196, 128>{}, tensor<int, 128>{}));

int passed = 0, failed = 0;
void expect(bool holds, char const* what) {
  if (!holds) std::printf("%s\n", what);
  ++(holds ? passed : failed);
}
/// Whether the threads' value and gradient are those of the parts one after the other.
bool same() {
  float const value = threads(model, x, y);
  return value == in_turn.value() && std::memcmp(&threads.grad<0>(), &in_turn.grad<0>(), sizeof model) == 0;
}

}  // namespace

int main() {
  static_assert(!std::is_same_v<workers::chosen, workers::in_turn>);
  nn::generator random(1);
  nn::init::glorot_uniform(model, 1);
  for (float& e : x) e = static_cast<float>(random.normal());
  for (int i = 0; i < 128; ++i) y(i) = i % 10;
  in_turn(model, x, y);
  expect(same(), "threads give other bits");
  if (char const* why = heap::why_not_counted()) {
    std::printf("%s\n", why);
  } else {
    long const before = heap::count();
    for (int i = 0; i < 20; ++i) threads(model, x, y), threads(model, x, y, into(gradient));
    expect(heap::count() == before, "a call allocates");
  }
  for (int count : {1, 2, 3, 8}) {
    omp_set_num_threads(count);
    expect(same(), "the number of threads counts");
  }
  omp_set_dynamic(1);
  expect(same(), "dynamic numbers of threads count");
  bool within = false;
#pragma omp parallel num_threads(2)
#pragma omp single
  within = same();
  expect(within, "within a parallel region");
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
