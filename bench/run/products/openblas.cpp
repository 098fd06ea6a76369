// OpenBLAS, on one thread.
#include "problem.hpp"

#include "../blas.hpp"

namespace {

struct by_openblas {
  static constexpr char name[] = "openblas";
  template <class P>
  static void multiply(typename P::inputs const& i, typename P::answer& c) {
    bench::by_blas()(P::m, P::n, P::k, i.a.data(), P::how == form::first_transposed, i.b.data(),
                     P::how == form::second_transposed, 0, c.data());
  }
};
enter<by_openblas> const here;

}  // namespace
