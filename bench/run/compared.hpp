// compared: rivals over one problem: each is checked against the first, then all are timed.
#pragma once

#include "interleaved.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <tuple>

namespace bench {

/// One way to compute value and gradient of a problem. `Gradient::entries()` are its tensors and scalars.
template <class Data, class Gradient>
struct rival {
  char const* name;
  double (*run)(Data const&, Gradient&);  ///< returns the value
  double flops;                           ///< of one run, counted alike for all
};

namespace detail {

template <class T>
double entry(T const& t, std::size_t i) {
  if constexpr (requires { t.data(); }) return static_cast<double>(t.data()[i]);
  else return static_cast<double>(t);
}
template <class T>
std::size_t entries(T const& t) {
  if constexpr (requires { t.size(); }) return static_cast<std::size_t>(t.size());
  else return 1;
}

/// The largest difference, relative to the largest entry.
template <class T>
double difference(T const& a, T const& b) {
  double scale = 0, distance = 0;
  for (std::size_t i = 0; i < entries(a); ++i) {
    scale = std::max(scale, std::abs(entry(a, i)));
    distance = std::max(distance, std::abs(entry(a, i) - entry(b, i)));
  }
  return scale == 0 ? distance : distance / scale;
}

}  // namespace detail

/// The largest difference between the values or any part of the gradients of two rivals, relative to the largest entry.
template <class Data, class Gradient>
double disagreement(rival<Data, Gradient> const& a, rival<Data, Gradient> const& b, Data const& data) {
  auto const g = std::make_unique<Gradient>(), h = std::make_unique<Gradient>();
  double worst = detail::difference(a.run(data, *g), b.run(data, *h));
  auto const of_a = g->entries(), of_b = h->entries();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((worst = std::max(worst, detail::difference(std::get<I>(of_a), std::get<I>(of_b)))), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(g->entries())>>{});
  return worst;
}

/// Calls `f(i)` for i = 0 ... n - 1, each on its own: the compiler may not join neighbours, or take what is in memory for known.
void one_by_one(int n, auto f) {
  for (int i = 0; i < n; ++i) {
    f(i);
    benchmark::ClobberMemory();
  }
}

/// Checks that all rivals agree to `tolerance`, then times them. Returns what `main` does.
template <class Data, class Gradient, std::size_t N>
int compare(int argc, char** argv, rival<Data, Gradient> const (&rivals)[N], Data const& data, double tolerance,
            benchmark::TimeUnit unit = benchmark::kMicrosecond) {
  for (auto const& r : rivals) {
    double const difference = disagreement(rivals[0], r, data);
    std::printf("%s: value and gradients differ from those of %s by %.1e of the largest entry\n", r.name, rivals[0].name, difference);
    if (!(difference < tolerance)) return 1;
  }
  auto const g = std::make_unique<Gradient>();
  time_interleaved(argc, argv, rivals, unit, [&](auto const& r) { return r.run(data, *g); });
  return 0;
}

}  // namespace bench
