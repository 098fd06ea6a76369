// Convolutions and their adjoints against plain loops, on shapes that fill registers and such that do not.
#pragma once

#include <etch/etch.hpp>

#include "laws/laws.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace convolutions {

using namespace etch;

/// Entries of a tensor of doubles in memory order, and how they are reached.
struct array {
  std::vector<double> entry;
  fixed<int, 4> extent{};
  array(int a, int b, int c, int d) : entry(static_cast<std::size_t>(a * b * c * d)), extent{a, b, c, d} {}
  double& operator()(int i, int j, int k, int l) {
    return entry[static_cast<std::size_t>(i + extent[0] * (j + extent[1] * (k + extent[2] * l)))];
  }
};

/// The products of which a convolution consists, by plain loops: `f(entry of x, of w, of y)`.
inline void each_product(array& x, array& w, array& y, int stride, int padding, int dilation, int groups, auto f) {
  int const in = w.extent[2], out = y.extent[2] / groups;
  for (int n = 0; n < y.extent[3]; ++n)
    for (int o = 0; o < y.extent[2]; ++o)
      for (int q = 0; q < y.extent[1]; ++q)
        for (int p = 0; p < y.extent[0]; ++p)
          for (int c = 0; c < in; ++c)
            for (int j = 0; j < w.extent[1]; ++j)
              for (int i = 0; i < w.extent[0]; ++i) {
                int const u = p * stride + i * dilation - padding, v = q * stride + j * dilation - padding;
                if (u >= 0 && u < x.extent[0] && v >= 0 && v < x.extent[1])
                  f(x(u, v, o / out * in + c, n), w(i, j, c, o), y(p, q, o, n));
              }
}

template <class A>
void assign(A& to, array const& from) {
  REQUIRE(to.size() == from.entry.size());
  for (std::size_t i = 0; i < from.entry.size(); ++i) to[i] = static_cast<typename A::value_type>(from.entry[i]);
}
template <class A>
void compare(A const& got, array const& expected) {
  REQUIRE(got.size() == expected.entry.size());
  double scale = 0, worst = 0;
  for (std::size_t i = 0; i < expected.entry.size(); ++i) {
    scale = std::max(scale, std::abs(expected.entry[i]));
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected.entry[i]));
  }
  CHECK(scale > 0);
  CHECK(worst <= (sizeof(got[0]) == 4 ? 1e-5 : 1e-13) * scale);
}

/// Result, and gradients of sum(y²) / 2 by x and w, against the plain loops.
template <class T, int W, int H, int In, int N, int KW, int KH, int Out, int Stride = 1, int Padding = 0,
          int Dilation = 1, int Groups = 1>
void check() {
  constexpr int P = (W + 2 * Padding - Dilation * (KW - 1) - 1) / Stride + 1,
                Q = (H + 2 * Padding - Dilation * (KH - 1) - 1) / Stride + 1;
  INFO("image ", to_string(make_shape(W, H, In, N)), ", kernel ", to_string(make_shape(KW, KH, In / Groups, Out)),
       ", stride ", Stride, ", padding ", Padding, ", dilation ", Dilation);
  array x(W, H, In, N), w(KW, KH, In / Groups, Out), y(P, Q, Out, N), dx = x, dw = w;
  x.entry = laws::sample(x.entry.size(), -1, 1, 1);
  w.entry = laws::sample(w.entry.size(), -1, 1, 2);
  for (auto* each : {&x, &w})
    for (double& e : each->entry) e = static_cast<double>(static_cast<T>(e));
  each_product(x, w, y, Stride, Padding, Dilation, Groups, [](double a, double b, double& c) { c += a * b; });
  each_product(dx, w, y, Stride, Padding, Dilation, Groups, [](double& a, double b, double c) { a += b * c; });
  each_product(x, dw, y, Stride, Padding, Dilation, Groups, [](double a, double& b, double c) { b += a * c; });

  auto const image = std::make_unique<tensor<T, W, H, In, N>>();
  tensor<T, KW, KH, In / Groups, Out> kernel;
  assign(*image, x), assign(kernel, w);
  constexpr auto forward = [](auto a, auto b) { return conv2d<Stride, Padding, Dilation, Groups>(a, b); };
  constexpr auto loss = [](auto a, auto b) { return sum(square(conv2d<Stride, Padding, Dilation, Groups>(a, b))) / 2; };
  auto const value = std::make_unique<decltype(compile<wrt<>>(forward, *image, kernel))>();
  (*value)(*image, kernel);
  compare(value->value(), y);
  auto const step = std::make_unique<decltype(compile<wrt<0, 1>>(loss, *image, kernel))>();
  (*step)(*image, kernel);
  compare(step->template grad<0>(), dx);
  compare(step->template grad<1>(), dw);
}

template <class T>
void check_all() {
  check<T, 1, 1, 1, 1, 1, 1, 1>();
  check<T, 7, 5, 3, 17, 3, 2, 5>();        // no multiple of any register's width
  check<T, 8, 6, 1, 128, 5, 5, 6>();       // whole registers
  check<T, 6, 6, 17, 2, 1, 1, 3>();        // no register at all
  check<T, 9, 7, 2, 17, 3, 3, 4, 2, 1>();  // borders and strides
  check<T, 10, 7, 2, 33, 4, 2, 3, 3, 2>();
  check<T, 5, 4, 3, 4, 5, 4, 7, 1, 2>();   // a kernel as large as the image
  check<T, 3, 3, 2, 5, 5, 3, 2, 1, 1>();   // a kernel larger than the image, and no position where it has all its taps
  check<T, 2, 3, 2, 16, 5, 3, 3, 1, 2>();  // the last taps meet no entry where the others do
  check<T, 11, 9, 2, 19, 3, 3, 4, 1, 2, 2>();
  check<T, 11, 9, 4, 19, 3, 3, 6, 2, 1, 2, 2>();
  check<T, 8, 8, 6, 16, 3, 3, 6, 1, 1, 1, 6>();  // a kernel for each channel
  check<T, 4, 4, 17, 20, 1, 1, 17>();
  check<T, 23, 1, 3, 24, 13, 1, 2>();       // more taps than rows of a tile
  check<T, 8, 8, 19, 16, 3, 3, 5, 1, 1>();  // channels pages apart, added in three blocks
  check<T, 4, 3, 13, 19, 3, 3, 7, 1, 1>();  // images so narrow that channels are the rows of the kernel's gradient
  check<T, 6, 5, 9, 16, 5, 3, 6, 2, 2>();
}

/// Fewer images than fill a register, whose positions do.
template <class T>
void check_few_images() {
  check<T, 16, 9, 2, 1, 3, 3, 4, 1, 1>();
  check<T, 19, 8, 2, 1, 4, 3, 3>();  // no border, and no copy
  check<T, 33, 7, 1, 1, 5, 5, 1, 1, 2>();
  check<T, 17, 6, 3, 3, 3, 2, 5, 1, 1>();
  check<T, 20, 8, 2, 2, 3, 3, 3, 1, 2, 2>();
  check<T, 12, 8, 4, 1, 3, 3, 8, 1, 1, 1, 4>();
  check<T, 7, 5, 4, 2, 3, 3, 4, 1, 0, 1, 2>();
  check<T, 13, 7, 2, 1, 3, 3, 3, 2, 1>();  // which slides by two entries
  check<T, 9, 3, 2, 1, 11, 3, 2, 1, 1>();  // a kernel wider than the image
  check<T, 9, 4, 1, 3, 2, 2, 3, 1, 3>();   // more border than a kernel covers: some positions meet nothing
  check<T, 50, 1, 3, 1, 7, 1, 2>();
  check<T, 4, 30, 19, 1, 3, 3, 17, 1, 1>();  // a narrow register
}

}  // namespace convolutions
