// Resident memory over time of a recurrent network with a high fan-out, each rival in a process of its own: as a table,
// and as <first argument>.csv and .svg. Fails where etch takes more than 1.05 times the memory of the pass by hand.
#include "../memory_over_time.hpp"
#include "network.hpp"

#include <etch/nn/random.hpp>

#include <cmath>
#include <cstdio>

namespace {

using namespace fan_out;

constexpr double mebibyte = 1 << 20, allowed = 1.05;

constinit parameters p, g;
constinit series x;

void fill() {
  etch::nn::generator random(1);
  auto const normal = [&](auto& m, double scale) {
    for (double& e : m) e = scale * random.normal();
  };
  normal(p.w, 0.9 / std::sqrt(hidden)), normal(p.u, 1 / std::sqrt(inputs)), normal(x, 1);
  for (auto& v : p.v) normal(v, 1 / std::sqrt(hidden));
}

bench::measured_memory measure(double (*rival)(parameters const&, series const&, parameters&)) {
  auto const work = [=] {
    double sum = rival(p, x, g);
    auto const add = [&](auto const& m) {
      for (double e : m) sum += e * e;
    };
    add(g.w), add(g.u);
    for (auto const& v : g.v) add(v);
    return sum;
  };
  return bench::measure_memory(fill, work, 5);
}

}  // namespace

int main(int argc, char** argv) {
  bench::measured_memory const etch = measure(by_etch), hand = measure(by_hand);
  if (etch.over_time.empty() || hand.over_time.empty()) return std::printf("a rival failed\n"), 1;
  bool const equal = std::abs(etch.result / hand.result - 1) < 1e-9;
  double const ratio = etch.peak / hand.peak;
  std::printf("rival      peak MiB  before MiB  seconds\n");
  auto const row = [](char const* name, bench::measured_memory const& m) {
    std::printf("%-8s  %9.1f  %10.1f  %7.2f\n", name, m.peak / mebibyte, m.before / mebibyte, m.seconds);
  };
  row("etch", etch), row("by hand", hand);
  if (!equal) std::printf("the gradients differ\n");
  std::printf("etch / by hand: %.3f of the peak (allowed: %.2f)\n", ratio, allowed);
  std::printf("fan_out_memory.etch.peak %.0f\nfan_out_memory.etch.seconds %.6g\n", etch.peak, etch.seconds);
  std::printf("fan_out_memory.hand.peak %.0f\nfan_out_memory.hand.seconds %.6g\n", hand.peak, hand.seconds);
  if (argc > 1) bench::write_picture({{"etch", false, etch.over_time}, {"by hand", true, hand.over_time}}, argv[1]);
  bool const good = equal && ratio <= allowed;
  std::printf("%s\n", good ? "as it should be" : "not as it should be");
  return good ? 0 : 1;
}
