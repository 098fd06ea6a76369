// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace lenet_problem {

namespace {

constexpr auto loss = [](auto k1, auto c1, auto k2, auto c2, auto w1, auto b1, auto w2, auto b2, auto w3, auto b3, auto x) {
  auto const a = max_pool<2>(relu(conv2d(x, k1) + etch::reshape<1, 1, -1>(c1)));
  auto const b = max_pool<2>(relu(conv2d(a, k2) + etch::reshape<1, 1, -1>(c2)));
  auto const h = relu(w2 * relu(w1 * etch::reshape<flat, batch>(b) + b1) + b2);
  return sum(square(w3 * h + b3));
};

auto& program() {
  static parameters p;
  static data d;
  static auto step =
      etch::compile<etch::wrt<0, 1, 2, 3, 4, 5, 6, 7, 8, 9>>(loss, p.k1, p.c1, p.k2, p.c2, p.w1, p.b1, p.w2, p.b2, p.w3, p.b3, d.x);
  return step;
}

}  // namespace

rival etch_rival() {
  return {"etch",
          [](data const& d, parameters& g) {
            parameters const& p = d.model;
            return program()(p.k1, p.c1, p.k2, p.c2, p.w1, p.b1, p.w2, p.b2, p.w3, p.b3, d.x,
                             etch::into(g.k1, g.c1, g.k2, g.c2, g.w1, g.b1, g.w2, g.b2, g.w3, g.b3));
          },
          static_cast<double>(std::remove_reference_t<decltype(program())>::facts.flops)};
}

}  // namespace lenet_problem
