// Losses one of whose branches, which `select` does not take at the inputs given, has an infinite or undefined
// derivative. Each comes with its gradient, in closed form: that of what was taken.
#pragma once

#include <etch/etch.hpp>

#include <limits>
#include <tuple>
#include <utility>

namespace masked {

using etch::tensor;
using vector = tensor<double, 3>;

inline constexpr double e = 2.718281828459045235360287;
inline constexpr vector at{0, 1, 4}, zeros{0, 0, 0};  // log, sqrt and the quotient are singular at the first entry

template <class F>
struct loss {
  char const* name;
  F f;
  vector x, gradient;
};
template <class F>
loss(char const*, F, vector, vector) -> loss<F>;

// Intermediate values that are used more than once.
inline constexpr auto shared = std::tuple{
    loss{"a value used twice",
         [](auto x) {
           auto const d = sqrt(x);
           return sum(select(x > 0, cwise_product(d, 1 + d), 0));
         },
         at,
         {0, 1.5, 1.25}},
    loss{"a quotient of what both depend on", [](auto x) { return sum(select(x != 0, sin(x) / x, 1)); }, zeros, zeros},
    loss{"in three pieces",
         [](auto x) {
           auto const d = sqrt(x);
           return sum(select(x > 2, d, select(x > 0, cwise_product(d, d), 1.0)));
         },
         at,
         {0, 1, 0.25}},
    loss{"a value in two selects",
         [](auto x) {
           auto const d = log(x);
           return sum(select(x > 2, d, 0.0) + select(x > 0.5, d, 0.0));
         },
         at,
         {0, 1, 0.5}},
    loss{"nested selects",
         [](auto x) {
           auto const d = sqrt(x);
           return sum(select(x > 2, d + d, select(x > 0, select(x > 1, d, 3 * d), x)));
         },
         at,
         {1, 1.5, 0.5}},
    loss{"behind a stopped copy",
         [](auto x) {
           auto const d = sqrt(x);
           return sum(select(x > 0, cwise_product(d, stop_gradient(d)), 0.0));
         },
         at,
         {0, 0.5, 0.5}},
};

// Views, broadcasts, indices, reductions and running sums between the choice and the singular value.
inline constexpr auto between = std::tuple{
    loss{"index", [](auto x) { return select(x(0) > 0, log(x)(0), 0.0); }, at, zeros},
    loss{"index, beside one that counts",
         [](auto x) {
           auto const y = log(x);
           return select(x(0) > 0, y(0), 0.0) + y(1);
         },
         at,
         {0, 1, 0}},
    loss{"sum", [](auto x) { return select(x(0) > 0, sum(log(x)), 0.0); }, at, zeros},
    loss{"largest entry", [](auto x) { return select(x(0) > 0, max(log(x)), 0.0); }, at, zeros},
    loss{"product of entries", [](auto x) { return select(x(0) > 0, prod(log(x)), 0.0); }, at, zeros},
    loss{"norm", [](auto x) { return select(x(0) > 0, norm(sqrt(x)), 0.0); }, at, zeros},
    loss{"running sum",
         [](auto x) { return sum(select(x > 0, reverse<0>(cumsum(reverse<0>(sqrt(x)))), 0.0)); },
         at,
         {0, 0.5, 0.5}},
    loss{"softmax", [](auto x) { return select(x(0) > 0, softmax(log(x))(1), 0.0); }, at, zeros},
    loss{"scaled by its sum",
         [](auto x) {
           auto const s = sum(x);
           return sum(select(s > 0, x / s, 0.0));
         },
         zeros, zeros},
    loss{"matrix of copies",
         [](auto x) {
           auto const copies = etch::broadcast<3, 2>(etch::reshape<3, 1>(log(x)));
           return sum(select(etch::broadcast<3, 2>(etch::reshape<3, 1>(x)) > 0, copies, 0.0));
         },
         at,
         {0, 2, 0.5}},
    loss{"transposed, sliced, put together",
         [](auto x) {
           auto const y = etch::concat<0>(etch::slice<0, 1, 2>(log(x)), etch::slice<0, 0, 1>(log(x)));
           return sum(select(transpose(y) > -9, transpose(y), 0.0));
         },
         at,
         {0, 1, 0.25}},
    loss{"picked by an index",
         [](auto x) { return sum(select(x > 0, etch::gather<0>(log(x), etch::cast<double>(x * 0.5)), 0.0)); },
         vector{0, 2, 4},
         {0, 0.5, 0.25}},
    loss{"product of matrices", [](auto x) { return select(x(0) > 0, dot(log(x), x), 0.0); }, at, zeros},
    loss{"factorisation", [](auto x) { return select(x(0) > 0, logdet(outer(x, x)), 0.0); }, zeros, zeros},
};

// A tape holds one floating type.
inline constexpr auto mixed = std::tuple{
    loss{"float between",
         [](auto x) { return etch::cast<double>(sum(select(x > 0, log(etch::cast<float>(x)), 0.0f))); },
         at,
         {0, 1, 0.25}},
};

// Loops: a choice around them, within them, and on what their steps leave.
inline constexpr auto loops = std::tuple{
    loss{"around map",
         [](auto x) { return sum(select(x > 0, etch::map([](auto p) { return sqrt(p) * p; }, x), 0.0)); },
         at,
         {0, 1.5, 3}},
    loss{"around sum_map",
         [](auto x) { return select(x(0) > 0, etch::sum_map([](auto p) { return log(p); }, x), 0.0); }, at, zeros},
    loss{"within sum_map, of what is captured",
         [](auto x) {
           auto const d = sqrt(x(0));
           return etch::sum_map([&](auto p) { return select(p > 9, d * p, p); }, x);
         },
         at,
         {1, 1, 1}},
    loss{"around scan",
         [](auto x) {
           return select(x(0) > 0, etch::scan([](auto c, auto p) { return c + log(p); }, 0.0 * x(1), x), 0.0);
         },
         at, zeros},
    loss{"within scan",
         [](auto x) {
           return etch::scan(
               [](auto c, auto p) {
                 auto const d = sqrt(p);
                 return c + select(p > 0, d * (1 + d), 0.0);
               },
               0.0 * x(1), x);
         },
         at,
         {0, 1.5, 1.25}},
    loss{"on the carry of scan",
         [](auto x) { return etch::scan([](auto c, auto p) { return select(p > 9, sqrt(c) * p, c + p); }, x(0), x); },
         at,
         {2, 1, 1}},
    loss{"on the steps of scan",
         [](auto x) {
           auto const [last, all] = etch::scan([](auto c, auto p) { return etch::step{c + p, log(p)}; }, 0.0 * x(1), x);
           return last + sum(select(x > 0, all, 0.0));
         },
         at,
         {1, 2, 1.25}},
    loss{"around repeat",
         [](auto x) { return select(x(0) > 0, etch::repeat<3>([](auto c) { return sqrt(c); }, x)(0), 0.0); }, at,
         zeros},
    loss{"around checkpoint",
         [](auto x) { return sum(select(x > 0, etch::checkpoint([](auto c) { return log(c); })(x), 0.0)); },
         at,
         {0, 1, 0.25}},
};

}  // namespace masked
