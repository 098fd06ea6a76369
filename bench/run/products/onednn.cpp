// oneDNN, in float.
#include "problem.hpp"

#include "../dnnl.hpp"

#include <array>

namespace {

template <class P>
struct run {
  static inline typename P::answer product;
  static inline bench::rival<P> const here{"onednn", [](typename P::inputs const& i, typename P::gradient& to) {
                                             bench::by_dnnl()(P::m, P::n, P::k, i.a.data(), P::how == form::first_transposed, i.b.data(),
                                                              P::how == form::second_transposed, 0, product.data());
                                             to.product = &product;
                                             return 0.0;
                                           }};
};

template <class... P>
struct all {
  std::array<void const*, sizeof...(P)> entered{[]() -> void const* {
    if constexpr (sizeof(typename P::scalar) == 4) return &run<P>::here;
    else return nullptr;
  }()...};
};
with_products<all> const here;

}  // namespace
