// The product as a program without gradients.
#include <etch/etch.hpp>

#include "problem.hpp"

#include <tuple>

namespace {

template <form How>
constexpr auto product = [](auto a, auto b) {
  if constexpr (How == form::first_transposed) return transpose(a) * b;
  else if constexpr (How == form::second_transposed) return a * transpose(b);
  else return a * b;
};

template <class P>
constinit auto program = etch::compile<etch::wrt<>>(product<P::how>, typename P::left{}, typename P::right{});

template <class... P>
struct all {
  std::tuple<bench::rival<P>...> entered{bench::rival<P>(
      "etch",
      [](typename P::inputs const& i, typename P::gradient& to) {
        to.product = &program<P>(i.a, i.b);
        return 0.0;
      },
      decltype(program<P>)::facts.workspace_bytes)...};
};
with_products<all> const here;

}  // namespace
