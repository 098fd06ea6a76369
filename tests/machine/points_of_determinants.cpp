// Points in lanes whose bodies take determinants, their logarithms, and inverses. The truth is Eigen's elimination with
// complete pivoting in long double.
#include "machine/matrices_of_points.hpp"

using namespace matrices_of_points;

namespace {

constexpr auto volumes = [](auto as) { return sum_map([](auto a) { return det(a) + log(square(det(a))); }, as); };
constexpr auto logarithms = [](auto as) { return sum_map([](auto a) { return logdet(a); }, as); };
constexpr auto inverses = [](auto as) { return sum_map([](auto a) { return sum(inverse(a)); }, as); };

template <class T, int N, int Points>
void check_determinants() {
  CAPTURE(N);
  auto as = matrices<T, N, Points>(4);
  for (int p = 0; p < Points; ++p)  // logarithms are of positive numbers
    if (square_at<N>(as, p).determinant() < 0)
      for (int j = 0; j < N; ++j) as(N - 1, j, p) = -as(N - 1, j, p);
  static auto volume = compile<wrt<0>>(volumes, as);
  static auto logarithm = compile<wrt<0>>(logarithms, as);
  static auto inversion = compile<wrt<0>>(inverses, as);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(logarithm)>>);
  static_assert(is_in_lanes<std::remove_reference_t<decltype(inversion)>>);
  T const by_volume = volume(as), by_logarithm = logarithm(as), by_inverse = inversion(as);
  real of_volume = 0, of_logarithm = 0, of_inverse = 0;
  for (int p = 0; p < Points; ++p) {
    square_of<N> const a = square_at<N>(as, p), back = a.fullPivLu().inverse().transpose();
    real const d = a.fullPivLu().determinant();
    of_volume += d + std::log(d * d), of_logarithm += std::log(d), of_inverse += back.sum();
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) {
        CHECK(is_near(volume.template grad<0>()(i, j, p), (d + 2) * back(i, j)));
        CHECK(is_near(logarithm.template grad<0>()(i, j, p), back(i, j)));
        CHECK(is_near(inversion.template grad<0>()(i, j, p), -back.row(i).sum() * back.col(j).sum()));
      }
  }
  CHECK(is_near(by_volume, of_volume));
  CHECK(is_near(by_logarithm, of_logarithm));
  CHECK(is_near(by_inverse, of_inverse));
}

}  // namespace

TEST_CASE("determinants, their logarithms and inverses, of one to four rows") {
  check_determinants<double, 1, 9>();
  check_determinants<double, 2, 16>();
  check_determinants<double, 3, 19>();
  check_determinants<float, 3, 17>();
  check_determinants<double, 4, 10>();
}
