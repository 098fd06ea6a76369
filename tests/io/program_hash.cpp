#include <etch/io/program_hash.hpp>

#include <etch/nn/dense.hpp>
#include <etch/nn/loss.hpp>
#include <etch/transform/map.hpp>
#include <etch/transform/scan.hpp>

#include <doctest/doctest.h>

using namespace etch;
using io::program_hash;

namespace {

template <class T>
struct network {
  nn::dense<T, 4, 3> hidden;
  nn::dense<T, 3, 2> output;
  ETCH_MEMBERS(network, hidden, output)
  constexpr auto operator()(auto x) const { return output(tanh(hidden(x))); }
};
template <class T>
struct renamed {
  nn::dense<T, 4, 3> first;
  nn::dense<T, 3, 2> second;
  ETCH_MEMBERS(renamed, first, second)
  constexpr auto operator()(auto x) const { return second(tanh(first(x))); }
};

constexpr auto loss = [](auto model, auto x, auto y) { return nn::softmax_cross_entropy(model(x), y); };
using batch = tensor<float, 4, 8>;
using labels = tensor<int, 8>;
using matrix_type = tensor<double, 2, 2>;
using series = tensor<double, 2, 5>;

constexpr auto recurrent = [](auto w, auto u, auto v, auto xs) {
  // A compiler may look at either operand of + and * first: at w or at u, at the loop's slice or at v.
  auto const cell = [&](auto state, auto x) { return tanh(w * state + u * x + cwise_product(v * x, w * x)); };
  return squared_norm(etch::scan(cell, etch::zeros<2>(), xs));
};
constexpr auto recurrent_other_capture = [](auto w, auto u, auto v, auto xs) {
  auto const cell = [&](auto state, auto x) { return tanh(u * state + w * x + cwise_product(v * x, w * x)); };
  return squared_norm(etch::scan(cell, etch::zeros<2>(), xs));
};
constexpr auto recurrent_lean = [](auto w, auto u, auto v, auto xs) {
  auto const cell = [&](auto state, auto x) { return tanh(w * state + u * x + cwise_product(v * x, w * x)); };
  return squared_norm(etch::scan(cell, etch::zeros<2>(), xs, etch::keep_carries));
};
constexpr auto nested = [](auto w, auto xs) {
  auto const inner = [&](auto y) { return w * y; };
  auto const outer = [&](auto state, auto x) { return etch::repeat<3>(inner, state) + x; };
  return sum(etch::scan(outer, etch::zeros<2>(), xs));
};

// The order in which statements stand, and with it the order of nodes.
constexpr auto in_order = [](auto a, auto b) {
  auto const x = exp(a);
  auto const y = sin(b);
  return sum(x - y);
};
constexpr auto in_other_order = [](auto a, auto b) {
  auto const y = sin(b);
  auto const x = exp(a);
  return sum(x - y);
};

}  // namespace

// Numbers found once, from g++ 12 and clang 19 alike: files written years ago are compared with them.
static_assert(program_hash(loss, network<float>{}, batch{}, labels{}) == 0x7e047f0139d68da0);
static_assert(program_hash(recurrent, matrix_type{}, matrix_type{}, matrix_type{}, series{}) == 0xf0c4feac2065af02);
static_assert(program_hash(nested, matrix_type{}, series{}) == 0xccd87316f4ae7fae);

TEST_CASE("the hash of a program knows operations and types, not names, order or memory") {
  constexpr auto hash = program_hash(loss, network<float>{}, batch{}, labels{});
  CHECK(hash == program_hash(loss, renamed<float>{}, batch{}, labels{}));
  CHECK(hash != program_hash(loss, network<double>{}, tensor<double, 4, 8>{}, labels{}));
  CHECK(hash != program_hash(loss, network<float>{}, tensor<float, 4, 9>{}, tensor<int, 9>{}));
  CHECK(hash != program_hash(loss, network<float>{}, batch{}, tensor<std::int64_t, 8>{}));
  constexpr auto ordered = program_hash(in_order, series{}, series{});
  CHECK(ordered == program_hash(in_other_order, series{}, series{}));
  CHECK(ordered != program_hash([](auto a, auto b) { return sum(exp(b) - sin(a)); }, series{}, series{}));
  CHECK(ordered != program_hash([](auto a, auto b) { return sum(sin(b) - exp(a)); }, series{}, series{}));
  CHECK(ordered != program_hash([](auto a, auto b) { return sum(exp(a) - cos(b)); }, series{}, series{}));
  CHECK(ordered != program_hash([](auto a, auto b) { return sum(exp(a) + sin(b)); }, series{}, series{}));
  CHECK(program_hash([](auto a) { return sum(a * 2); }, series{}) !=
        program_hash([](auto a) { return sum(a * 3); }, series{}));
  CHECK(program_hash([](auto a) { return sum(etch::slice<1, 0, 2>(a)); }, series{}) !=
        program_hash([](auto a) { return sum(etch::slice<1, 1, 2>(a)); }, series{}));
  // A leaf that nothing reads is a leaf of the model all the same.
  CHECK(program_hash([](auto a) { return sum(a); }, series{}) !=
        program_hash([](auto a, auto) { return sum(a); }, series{}, 1.0));
  // A row-major matrix is an argument like any other.
  CHECK(program_hash([](auto a, auto b) { return sum(a) + sum(b); }, Eigen::Matrix<double, 2, 3, Eigen::RowMajor>{},
                     1.0) != program_hash([](auto a, auto b) { return sum(a) + sum(b); },
                                          Eigen::Matrix<double, 2, 3, Eigen::RowMajor>{}, 1.0f));
}

TEST_CASE("the hash of a loop knows what it captures and does, not how much of it is kept") {
  constexpr auto hash = program_hash(recurrent, matrix_type{}, matrix_type{}, matrix_type{}, series{});
  CHECK(hash != program_hash(recurrent_other_capture, matrix_type{}, matrix_type{}, matrix_type{}, series{}));
  CHECK(hash != program_hash(recurrent, matrix_type{}, matrix_type{}, matrix_type{}, tensor<double, 2, 6>{}));
  CHECK(hash == program_hash(recurrent_lean, matrix_type{}, matrix_type{}, matrix_type{}, series{}));
  CHECK(program_hash([](auto a, auto) { return sum(etch::repeat<3>([](auto x) { return sin(x); }, a)); }, series{},
                     series{}) !=
        program_hash([](auto, auto b) { return sum(etch::repeat<3>([](auto x) { return sin(x); }, b)); }, series{},
                     series{}));
  CHECK(program_hash([](auto a) { return sum(etch::repeat<3>([](auto x) { return sin(x); }, a)); }, series{}) !=
        program_hash([](auto a) { return sum(etch::repeat<4>([](auto x) { return sin(x); }, a)); }, series{}));
  CHECK(program_hash([](auto a) { return sum(etch::repeat<3>([](auto x) { return sin(x); }, a)); }, series{}) !=
        program_hash([](auto a) { return sum(etch::repeat<3>([](auto x) { return cos(x); }, a)); }, series{}));
  CHECK(program_hash([](auto a) { return sum_map([](auto x) { return sum(sin(x)); }, a); }, series{}) !=
        program_hash([](auto a) { return sum_map([](auto x) { return sum(cos(x)); }, a); }, series{}));
}
