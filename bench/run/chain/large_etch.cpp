// The chain as a loop, compiled.
#include <etch/etch.hpp>

#include "large.hpp"

namespace large_chain {

namespace {

template <int Steps>
constexpr auto loss = [](auto x, auto z) { return sum(square(etch::repeat<Steps>([&](auto c) { return x * c; }, z))); };

template <int Steps>
constexpr auto loss_of_sum = [](auto x, auto z) {
  for (int i = 0; i < Steps; ++i) z = x * z;
  return sum(z);
};

template <int D, int Steps>
constinit auto program = etch::compile(loss<Steps>, matrix<D>{}, matrix<D>{});

}  // namespace

template <int D, int Steps>
rival<D> etch_rival() {
  return {"etch",
          [](matrix<D> const& x, matrix<D> const& z, matrix<D>& g) { return program<D, Steps>(x, z, etch::into(g)); },
          flops(D, Steps)};
}

template <int D, int Steps>
long long workspace_of_sum() {
  return decltype(etch::compile(loss_of_sum<Steps>, matrix<D>{}, matrix<D>{}))::facts.workspace_bytes;
}

template rival<1000> etch_rival<1000, 25>();
template rival<1000> etch_rival<1000, 50>();
template rival<1000> etch_rival<1000, 100>();
template long long workspace_of_sum<1000, 100>();

}  // namespace large_chain
