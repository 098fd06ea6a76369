// The loss as a lambda, compiled.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace {

constexpr auto loss = []<class Model>(Model const& model, auto x) {
  auto const through = [&]<int Layer>(auto const& self, auto h, std::integral_constant<int, Layer>) {
    if constexpr (Layer == std::tuple_size_v<Model>) return h;
    else return self(self, h + relu(etch::conv2d<1, 1>(h, model[Layer])), std::integral_constant<int, Layer + 1>{});
  };
  return sum(square(through(through, x, std::integral_constant<int, 0>{})));
};

template <class P>
constinit auto program = etch::compile<etch::wrt<0>>(loss, typename P::gradient{}, typename P::image{});

template <class P>
bench::rival<P> rival() {
  return {"etch",
          [](typename P::inputs const& i, typename P::gradient& g) { return program<P>(i.model, i.x, etch::into(g)); },
          decltype(program<P>)::facts.workspace_bytes};
}
auto const of_four = rival<residual<4>>();
auto const of_eight = rival<residual<8>>();

}  // namespace
