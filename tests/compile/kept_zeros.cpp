// Zeros among a program's results are written once: calls at other arguments give the same as a new program does, and
// where results lie in the caller's memory they are written each time.
#include <etch/etch.hpp>

#include "transform/values.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <new>

using namespace etch;

namespace {

constexpr auto next_state = [](auto x) {  // its Jacobian has many zeros and a few ones
  return stack<0>(x(0) + 0.1 * x(2), x(1) + 0.1 * x(3), x(2) + sin(x(0)) * x(4), x(3) + cos(x(1)) * x(4), x(4) * x(4));
};
constexpr auto chain = []<class X>(X const& x) {
  constexpr int n = X::extent[0];
  return sum(square(x.template tail<n - 1>() - square(x.template head<n - 1>())));
};
/// Seven diagonals, which are more than one op has.
constexpr auto far = []<class X>(X const& x) {
  constexpr int n = X::extent[0] - 3;
  auto const a = x.template head<n>(), b = x.template segment<n>(1), c = x.template segment<n>(2),
             d = x.template tail<n>();
  return sum(exp(a + 0.5 * b + 0.25 * c + 0.125 * d));
};
constexpr auto padded = [](auto x) { return concat<0>(zeros<3>() + 0 * x.template head<1>(), exp(x), zeros<2>()); };

/// The number of entries in which the third of three calls differs from the first call of another program.
template <class F, class X>
int stale_entries(F f, X const& a, X const& b) {
  auto used = std::make_unique<decltype(compile<wrt<>>(f, a))>(),
       fresh = std::make_unique<decltype(compile<wrt<>>(f, a))>();
  (*used)(a), (*used)(b);
  auto copied = std::make_unique<std::remove_cvref_t<decltype(*used)>>(*used);
  auto const& expected = (*fresh)(a);
  auto const& again = (*used)(a);
  auto const& of_copy = (*copied)(a);
  int stale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    stale += (expected.data()[i] != again.data()[i]) + (expected.data()[i] != of_copy.data()[i]);
  return stale;
}
/// The results of all kernels of the program `P` where `Outputs` says what becomes of outputs.
template <class P, auto Outputs>
consteval int results_written() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    return (0 + ... + run::size_of_kernel<run::detail::words_of_call<P, Outputs, K>()>.results);
  }(std::make_integer_sequence<int, P::schedule.kernel_count>{});
}
template <class F>
int stale_entries(F f) {
  auto const a = values::filled_with<tensor<double, 12>>(1), b = values::filled_with<tensor<double, 12>>(2);
  return stale_entries(f, a, b);
}

}  // namespace

TEST_CASE("calls at other arguments leave no entry behind") {
  CHECK(stale_entries(hessian(chain)) == 0);
  CHECK(stale_entries([](auto x) { return hessian(chain)(x) + transpose(hessian(chain)(2 * x)); }) == 0);
  CHECK(stale_entries([](auto x) { return cos(hessian(chain)(x)); }) == 0);
  CHECK(stale_entries([](auto x) { return hessian(chain)(x) + identity<12>() * x(0); }) == 0);
  CHECK(stale_entries([](auto x) { return hessian(chain)(x) + outer(x, x); }) == 0);
  CHECK(stale_entries([](auto x) { return hessian(chain)(x) * x; }) == 0);
  CHECK(stale_entries(jacobian(next_state), values::filled_with<tensor<double, 5>>(3),
                      tensor<double, 5>{1, 2, 3, 4, 5}) == 0);
  CHECK(stale_entries(padded) == 0);
  CHECK(stale_entries([](auto x) { return exp(padded(x)); }) == 0);
  CHECK(stale_entries([](auto x) { return padded(x) + padded(2 * x); }) == 0);
}

TEST_CASE("several matrices of diagonals add up in one result") {
  auto const a = values::filled_with<tensor<double, 24>>(4), b = values::filled_with<tensor<double, 24>>(5);
  CHECK(stale_entries(hessian(far), a, b) == 0);
  auto const h = hessian(far)(a);
  tensor<double, 24> direction{};
  for (int j = 0; j < 24; ++j) {
    for (int i = 0; i < 24; ++i) direction[static_cast<std::size_t>(i)] = i == j;
    auto const column = hvp(far)(a, direction);
    for (int i = 0; i < 24; ++i) CHECK(h(i, j) == doctest::Approx(column[static_cast<std::size_t>(i)]));
  }
}

TEST_CASE("values and further results of one program") {
  auto const f = [](auto x) { return std::tuple(sum(x), hessian(chain)(x), padded(x), jacobian(padded)(x)); };
  tensor<double, 12> const a = values::filled_with<tensor<double, 12>>(6),
                           b = values::filled_with<tensor<double, 12>>(7);
  auto used = std::make_unique<decltype(compile<wrt<0>>(f, a))>();
  (*used)(b), (*used)(a);
  auto const h = hessian(chain)(a);
  auto const j = jacfwd(padded)(a);
  for (std::size_t i = 0; i < 144; ++i) CHECK(used->template result<1>()[i] == h[i]);
  for (std::size_t i = 0; i < 17; ++i)
    CHECK(used->template result<2>()[i] == (i < 3 || i > 14 ? 0 : doctest::Approx(std::exp(a[(i - 3) % 12]))));
  for (std::size_t i = 0; i < j.size(); ++i) CHECK(used->template result<3>()[i] == doctest::Approx(j[i]));
}

TEST_CASE("gradients in the caller's memory have their zeros") {
  auto const f = [](auto x) { return sum(square(x.template head<3>())); };
  tensor<double, 12> const a = values::filled_with<tensor<double, 12>>(8);
  tensor<double, 12> to;
  for (double& each : to) each = 7;
  auto program = compile(f, a);
  program(a, into(to));
  for (std::size_t i = 0; i < 12; ++i) CHECK(to[i] == (i < 3 ? 2 * a[i] : 0));
}

TEST_CASE(
    "results of types that begin with anything have their zeros too, and programs in memory that held something") {
  using vector = Eigen::Matrix<double, 6, 1>;
  using matrix = Eigen::Matrix<double, 6, 6>;
  auto const in_used_memory = [](auto f, auto const&... a) {
    using P = std::remove_cvref_t<decltype(compile<wrt<>>(f, a...))>;
    std::unique_ptr<std::byte[]> const memory(new std::byte[sizeof(P) + 64]);
    std::memset(memory.get(), 0x41, sizeof(P) + 64);
    void* at = memory.get();
    std::size_t room = sizeof(P) + 64;
    P* const p = new (std::align(64, sizeof(P), at, room)) P;  // default-initialised
    auto const result = (*p)(a...);
    p->~P();
    return result;
  };
  vector const x = vector::Constant(0.5);
  matrix const m = matrix::Ones();
  tensor<double, 6> const of_numbers{0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  auto const h = hessian(chain)(of_numbers);
  auto const of_weights = [](auto v, auto w) { return sum(cwise_product(w, hessian(chain)(v))); };
  auto const g = in_used_memory(grad<wrt<1>>(of_weights), x, m);
  auto const plain = in_used_memory(hessian(chain), of_numbers);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      CHECK(g(i, j) == doctest::Approx(h(i, j)));
      CHECK(plain(i, j) == h(i, j));
    }
}

TEST_CASE("constant zeros in a result are not written again") {
  using P = std::remove_cvref_t<decltype(compile<wrt<>>(jacobian(next_state), tensor<double, 5>()))>::executable;
  constexpr int kept = results_written<P, run::detail::outputs_of<P, false, 1, true>>(),
                written = results_written<P, run::detail::outputs_of<P, false, 1, false>>();
  CHECK(kept < written);
}
