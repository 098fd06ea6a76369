// The chain of squares as a loop; that of the sum written out, since the algebra of products does not look into loops.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

template <class P>
constexpr auto loss = [](auto x, auto z) {
  if constexpr (P::squares) {
    return sum(square(etch::repeat<P::steps>([&](auto c) { return x * c; }, z)));
  } else {
    for (int i = 0; i < P::steps; ++i) z = x * z;
    return sum(z);
  }
};

template <class P>
constinit auto program = etch::compile(loss<P>, typename P::matrix{}, typename P::matrix{});

template <class P>
bench::rival<P> rival() {
  return {"etch",
          [](typename P::inputs const& i, typename P::gradient& g) { return program<P>(i.x, i.z, etch::into(g)); },
          decltype(program<P>)::facts.workspace_bytes};
}
auto const of_sum = rival<chain_of_sum>();
auto const of_squares = rival<chain_of_squares>();

}  // namespace
