// With ETCH_FORBID_HEAP programs compile and heap memory does not. forbid_heap.sh compiles this
// without mistakes, then with all of them.
#define ETCH_FORBID_HEAP
#include <etch/etch.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using etch::tensor;
using model = etch::nn::dense<float, 20, 30>;

#if !defined(MISTAKES)

constexpr auto loss = [](auto m, auto x, auto index) {
  return sum(square(etch::gather<1>(tanh(m(x)), index))) + logsumexp(x);
};

constinit auto step = etch::compile<etch::wrt<0, 1>>(loss, model{}, tensor<float, 20, 8>{}, tensor<int, 4>{});

float train(model& m, tensor<float, 20, 8>& x, tensor<int, 4> const& index, etch::optim::adam<model>& adam) {
  float const value = step(m, x, index);
  adam.update(m, step.grad<0>());
  return value + step(m, x, index, etch::add_to(m, x));
}
auto once(tensor<double, 40> const& x) {
  return etch::value_and_grad([](auto a) { return sum(square(a * transpose(a))) + prod(a); })(x);
}
void initialise(model& m) { etch::nn::init::glorot_uniform(m, 1); }
Eigen::Matrix3d inverse(Eigen::Matrix3d const& m) {
  return etch::grad([](auto a) { return logdet(a) + trace(inverse(a)); })(m);
}

#else
void* a(std::size_t n) { return malloc(n); }                             // here
void* b(std::size_t n) { return std::calloc(n, n); }                     // here
void* c(void* p) { return std::realloc(p, 100); }                        // here
void* d(std::size_t n) { return std::aligned_alloc(64, n); }             // here
int e(void** p, std::size_t n) { return posix_memalign(p, 64, n); }      // here
Eigen::MatrixXd zeros(int n) { return Eigen::MatrixXd::Ones(n, n); }     // Eigen
int* f(int n) { return new int[n]; }                                     // here g++
tensor<double, 4>* g() { return new tensor<double, 4>; }                 // here g++
int* h() { return new (std::nothrow) int; }                              // here g++
std::vector<double> i(std::size_t n) { return std::vector<double>(n); }  // here g++
std::string j(char const* s) { return s; }                               // here g++
std::unique_ptr<model> k() { return std::make_unique<model>(); }         // here g++
#endif
