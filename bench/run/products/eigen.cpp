// Eigen's product of maps, of fixed size where Eigen knows one so large.
#include "problem.hpp"

namespace {

template <class T, int Rows, int Columns>
auto view(T* entries) {
  constexpr bool fixed = Rows * Columns <= 1 << 18;
  return Eigen::Map<
      Eigen::Matrix<std::remove_const_t<T>, fixed ? Rows : Eigen::Dynamic, fixed ? Columns : Eigen::Dynamic>,
      Eigen::Aligned64>(const_cast<std::remove_const_t<T>*>(entries), Rows, Columns);
}

struct by_eigen {
  static constexpr char name[] = "eigen";
  template <class P>
  static void multiply(typename P::inputs const& i, typename P::answer& to) {
    using T = typename P::scalar const;
    auto c = view<typename P::scalar, P::m, P::n>(to.data());
    if constexpr (P::how == form::first_transposed)
      c.noalias() = view<T, P::k, P::m>(i.a.data()).transpose() * view<T, P::k, P::n>(i.b.data());
    else if constexpr (P::how == form::second_transposed)
      c.noalias() = view<T, P::m, P::k>(i.a.data()) * view<T, P::n, P::k>(i.b.data()).transpose();
    else c.noalias() = view<T, P::m, P::k>(i.a.data()) * view<T, P::k, P::n>(i.b.data());
  }
};
enter<by_eigen> const here;

}  // namespace
