// oneDNN, in float.
#include "problem.hpp"

#include "../dnnl.hpp"

#include <concepts>

namespace {

struct by_onednn {
  static constexpr char name[] = "onednn";
  template <class P>
    requires std::same_as<typename P::scalar, float>
  static void multiply(typename P::inputs const& i, typename P::answer& c) {
    bench::by_dnnl()(P::m, P::n, P::k, i.a.data(), P::how == form::first_transposed, i.b.data(),
                     P::how == form::second_transposed, 0, c.data());
  }
};
enter<by_onednn> const here;

}  // namespace
