#include <etch/etch.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

/// Checks that every leaf of a layer lies where its column says.
template <class S, class T>
void check_places() {
  static_assert(detail::columns_of<S, T>::exist);
  static S s{};
  constexpr auto const& places = detail::columns_of<S, T>::places;
  std::size_t leaf = 0;
  argument<S>::visit(s, detail::column_visitor{[&](T* data, std::size_t n) {
                       REQUIRE(leaf < places.size());
                       CHECK(reinterpret_cast<std::byte*>(data) - reinterpret_cast<std::byte*>(&s) ==
                             places[leaf] * static_cast<std::ptrdiff_t>(sizeof(T)));
                       CHECK(places[leaf] + static_cast<std::ptrdiff_t>(n) <= detail::columns_of<S, T>::rows);
                       ++leaf;
                     }});
  CHECK(leaf == places.size());
}

template <class T>
struct scalars_between {
  T first;
  param<T, 5> padded;
  T second, third;
  std::array<T, 3> more;
  param<T, 2, 2, 2> last;
  ETCH_MEMBERS(scalars_between, padded, third, first, last, more, second)
};
template <class T>
struct guarded {
  guarded() = default;
  constexpr auto operator()(auto const& x) const { return weight_ * x; }

 private:
  param<T> gain_;
  param<T, 3, 3> weight_;

 public:
  ETCH_MEMBERS(guarded, weight_, gain_)
};
template <class T>
struct with_labels {
  param<T, 3, 3> weight;
  tensor<int, 3> labels;
  ETCH_MEMBERS(with_labels, weight, labels)
};
template <class T>
struct base {
  param<T, 3> weight;
};
template <class T>
struct derived : base<T> {
  using base<T>::weight;
  param<T, 3> bias;
  ETCH_MEMBERS(derived, weight, bias)
};

struct nothing {};
template <class T>
struct with_something_between {
  T first;
  nothing unlisted;
  T second;
  param<T, 3> last;
  ETCH_MEMBERS(with_something_between, first, second, last)
};

TEST_CASE("leaves lie where their column says") {
  check_places<nn::dense<float, 5, 5>, float>();
  check_places<scalars_between<float>, float>();
  check_places<scalars_between<double>, double>();
  check_places<guarded<double>, double>();
  check_places<nn::sequential<float, nn::dense<float, 3, 7>, nn::activation::tanh, nn::layer_norm<float, 7>,
                              nn::dense<float, 7, 3>>,
               float>();
  check_places<nn::transformer_block<double, 4, 2, 6>, double>();
  check_places<nn::repeated<3, nn::dense<double, 3, 3>>, double>();
  check_places<
      nn::residual<float, nn::sequential<float, nn::repeated<2, nn::dense<float, 3, 3>>, scalars_between<float>>>,
      float>();
}

TEST_CASE("what is not of numbers of one type has no columns") {
  static_assert(!detail::columns_of<with_labels<float>, float>::exist);
  static_assert(!detail::columns_of<with_something_between<float>, float>::exist);
  static_assert(!detail::columns_of<nn::dense<float, 3, 3>, double>::exist);
  static_assert(!detail::columns_of<nn::activation::tanh, float>::exist);
  static_assert(!detail::columns_of<std::array<float, 3>, float>::exist);  // of any alignment
  static_assert(!detail::is_in_columns<nn::repeated<1, nn::dense<float, 3, 3>>>);
  static_assert(detail::is_in_columns<nn::repeated<2, nn::dense<float, 3, 3>>>);
  static_assert(!detail::is_in_columns<nn::repeated<2, with_labels<float>>>);
  if constexpr (detail::columns_of<derived<float>, float>::exist)
    check_places<derived<float>, float>();  // as the compiler knows
}

}  // namespace
