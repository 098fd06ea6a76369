// Eigen's product of maps, of fixed size where Eigen knows one so large.
#include "problem.hpp"

#include <tuple>

namespace {

template <class T, int Rows, int Columns>
auto view(T* entries) {
  constexpr bool fixed = Rows * Columns <= 1 << 18;
  return Eigen::Map<Eigen::Matrix<std::remove_const_t<T>, fixed ? Rows : Eigen::Dynamic, fixed ? Columns : Eigen::Dynamic>,
                    Eigen::Aligned64>(const_cast<std::remove_const_t<T>*>(entries), Rows, Columns);
}

template <class P>
struct run {
  static inline typename P::answer product;
  static inline bench::rival<P> const here{"eigen", [](typename P::inputs const& i, typename P::gradient& to) {
                                             using T = typename P::scalar const;
                                             auto c = view<typename P::scalar, P::m, P::n>(product.data());
                                             if constexpr (P::how == form::first_transposed)
                                               c.noalias() = view<T, P::k, P::m>(i.a.data()).transpose() * view<T, P::k, P::n>(i.b.data());
                                             else if constexpr (P::how == form::second_transposed)
                                               c.noalias() = view<T, P::m, P::k>(i.a.data()) * view<T, P::n, P::k>(i.b.data()).transpose();
                                             else c.noalias() = view<T, P::m, P::k>(i.a.data()) * view<T, P::k, P::n>(i.b.data());
                                             to.product = &product;
                                             return 0.0;
                                           }};
};

template <class... P>
struct all {
  std::tuple<bench::rival<P> const*...> entered{&run<P>::here...};
};
with_products<all> const here;

}  // namespace
