// The same by hand: points in the lanes of registers, two registers of points at a time,
// only the entries of the triangles.
#include "problem.hpp"

#include <etch/machine/strips.hpp>

#include <cmath>
#include <numbers>

namespace gmm_problem {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width, below = d * (d - 1) / 2, groups = 2;

/// Sums over points, a register each.
struct sums {
  number value, alpha[k], means[k][d], diagonal[k][d], lower[k][below];
};

struct factor {
  double diagonal[k][d], offset[k];
};

/// `groups` registers of points: their likelihood, and what they add to the gradient.
void add_points(data const& data, factor const& f, double const* from, sums& s) {
  number x[groups][d];
  for (int g = 0; g < groups; ++g)
    etch::run::load_points<d, width>(from + g * width * d, reinterpret_cast<double*>(x[g]));
  number t[groups][k], r[k][groups][d];
  for (int c = 0; c < k; ++c) {
    double const* const l = &data.model.icf(d, c);
    for (int g = 0; g < groups; ++g) {
      number delta[d], row[d];
      for (int i = 0; i < d; ++i) delta[i] = x[g][i] - number(data.model.means(i, c));
#pragma GCC unroll 10
      for (int i = 0; i < d; ++i) row[i] = number(f.diagonal[c][i]) * delta[i];
      int at = 0;
#pragma GCC unroll 10
      for (int j = 0; j < d; ++j)
#pragma GCC unroll 10
        for (int i = j + 1; i < d; ++i) row[i] = multiply_add(number(l[at++]), delta[j], row[i]);
      number square(0.0);
      for (int i = 0; i < d; ++i) square = multiply_add(row[i], row[i], square), r[c][g][i] = row[i];
      t[g][c] = multiply_add(number(-0.5), square, number(f.offset[c]));
    }
  }
  number weight[groups][k];
  for (int g = 0; g < groups; ++g) {
    number largest = t[g][0], total(0.0);
    for (int c = 1; c < k; ++c) largest = select(t[g][c] > largest, t[g][c], largest);
    for (int c = 0; c < k; ++c) total = total + (weight[g][c] = etch::math::exp(t[g][c] - largest));
    s.value = s.value + largest + etch::math::log(total);
    number const over = number(1.0) / total;
    for (int c = 0; c < k; ++c) weight[g][c] = weight[g][c] * over, s.alpha[c] = s.alpha[c] + weight[g][c];
  }
  for (int c = 0; c < k; ++c) {
    double const* const l = &data.model.icf(d, c);
    number delta[groups][d], back[groups][d];
    for (int g = 0; g < groups; ++g)
#pragma GCC unroll 10
      for (int i = 0; i < d; ++i) {
        delta[g][i] = x[g][i] - number(data.model.means(i, c));
        r[c][g][i] = r[c][g][i] * weight[g][c];
        back[g][i] = number(f.diagonal[c][i]) * r[c][g][i];
      }
    int at = 0;
#pragma GCC unroll 10
    for (int j = 0; j < d; ++j) {
      number diagonal = s.diagonal[c][j];
      for (int g = 0; g < groups; ++g) diagonal = multiply_add(r[c][g][j], delta[g][j], diagonal);
      s.diagonal[c][j] = diagonal;
#pragma GCC unroll 10
      for (int i = j + 1; i < d; ++i, ++at) {
        number sum = s.lower[c][at];
        for (int g = 0; g < groups; ++g) {
          sum = multiply_add(r[c][g][i], delta[g][j], sum);
          back[g][j] = multiply_add(number(l[at]), r[c][g][i], back[g][j]);
        }
        s.lower[c][at] = sum;
      }
    }
    for (int i = 0; i < d; ++i)
      for (int g = 0; g < groups; ++g) s.means[c][i] = s.means[c][i] + back[g][i];
  }
}

double total(number x) {
  return x.across([](auto a, auto b) { return a + b; });
}

double evaluate(data const& data, parameters& gradient) {
  static_assert(n % width == 0);
  factor f;
  for (int c = 0; c < k; ++c) {
    f.offset[c] = data.model.alpha(c);
    for (int i = 0; i < d; ++i) f.diagonal[c][i] = std::exp(data.model.icf(i, c)), f.offset[c] += data.model.icf(i, c);
  }
  static sums s;
  for (double* each = reinterpret_cast<double*>(&s); each != reinterpret_cast<double*>(&s + 1); ++each) *each = 0;
  // An odd register of points at the end is taken twice, and counted half.
  int first = 0;
  for (; first + groups * width <= n; first += groups * width) add_points(data, f, &data.x(0, first), s);
  if (first < n) {
    static etch::tensor<double, d, groups * width> rest;
    for (int p = 0; p < groups * width; ++p)
      for (int i = 0; i < d; ++i) rest(i, p) = data.x(i, first + p % width);
    static sums twice;
    for (double* each = reinterpret_cast<double*>(&twice); each != reinterpret_cast<double*>(&twice + 1); ++each)
      *each = 0;
    add_points(data, f, rest.data(), twice);
    auto const* from = reinterpret_cast<double const*>(&twice);
    for (double* each = reinterpret_cast<double*>(&s); each != reinterpret_cast<double*>(&s + 1); ++each)
      *each += 0.5 * *from++;
  }
  double value = total(s.value), largest = data.model.alpha(0), exps = 0;
  for (int c = 1; c < k; ++c) largest = std::max(largest, data.model.alpha(c));
  for (int c = 0; c < k; ++c) exps += std::exp(data.model.alpha(c) - largest);
  value -= n * (largest + std::log(exps)) + 0.5 * n * d * std::log(2 * std::numbers::pi) + data.constant;
  double const gamma2 = data.gamma * data.gamma;
  for (int c = 0; c < k; ++c) {
    double const count = total(s.alpha[c]);
    gradient.alpha(c) = count - n * std::exp(data.model.alpha(c) - largest) / exps;
    for (int i = 0; i < d; ++i) {
      double const e = f.diagonal[c][i];
      gradient.means(i, c) = total(s.means[c][i]);
      gradient.icf(i, c) = count - total(s.diagonal[c][i]) * e + gamma2 * e * e - data.m;
      value += 0.5 * gamma2 * e * e - data.m * data.model.icf(i, c);
    }
    for (int i = 0; i < below; ++i) {
      double const e = data.model.icf(d + i, c);
      gradient.icf(d + i, c) = gamma2 * e - total(s.lower[c][i]);
      value += 0.5 * gamma2 * e * e;
    }
  }
  return value;
}

}  // namespace

rival const here{"hand", [](data const& in, parameters& g) { return evaluate(in, g); }};

}  // namespace gmm_problem
