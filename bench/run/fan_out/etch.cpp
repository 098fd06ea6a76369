// The network as a scan, compiled.
#include <etch/etch.hpp>

#include "network.hpp"

namespace fan_out {

namespace {

constexpr auto loss = [](auto w, auto u, auto v, auto xs) {
  auto const run = etch::scan(
      [&](auto h, auto x) {
        auto const next = tanh(w * h + u * x);
        auto read = sum(square(v[0] * next));
        for (std::size_t k = 1; k < heads; ++k) read = read + sum(square(v[k] * next));
        return etch::step{next, read};
      },
      etch::zeros<hidden, batch>(), xs);
  return sum(run.y);
};

constinit auto step = etch::compile<etch::wrt<0, 1, 2>>(loss, decltype(parameters::w){}, decltype(parameters::u){},
                                                        decltype(parameters::v){}, series{});

}  // namespace

double by_etch(parameters const& p, series const& x, parameters& g) {
  return step(p.w, p.u, p.v, x, etch::into(g.w, g.u, g.v));
}

}  // namespace fan_out
