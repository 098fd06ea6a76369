#include <etch/optim/leaves.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace etch;

template <class T>
struct pair_of {
  param<T, 2> first;
  T second;
  ETCH_MEMBERS(pair_of, first, second)
};
struct mixed {
  tensor<float, 2> narrow;
  tensor<int, 3> labels;
  std::array<pair_of<double>, 2> many;
  bool flag;
  double last;
  ETCH_MEMBERS(mixed, narrow, labels, many, flag, last)
};

struct seen {
  void const* w;
  void const* g;
  std::size_t n;
  bool is_float;
  bool operator==(seen const&) const = default;
};

TEST_CASE("the floating-point leaves of several structs are walked side by side, integers are passed over") {
  mixed m{}, g{};
  std::vector<seen> all;
  optim::for_each_leaf(
      m, [&]<class T>(std::size_t n, T* w, T* of_g) { all.push_back({w, of_g, n, sizeof(T) == 4}); }, g);
  std::vector<seen> const expected{
      {m.narrow.data(), g.narrow.data(), 2, true},      {m.many[0].first.data(), g.many[0].first.data(), 2, false},
      {&m.many[0].second, &g.many[0].second, 1, false}, {m.many[1].first.data(), g.many[1].first.data(), 2, false},
      {&m.many[1].second, &g.many[1].second, 1, false}, {&m.last, &g.last, 1, false}};
  CHECK(all == expected);
}

TEST_CASE("const structs are read through pointers to const") {
  pair_of<float> m{}, state{};
  pair_of<float> const g{{1, 2}, 3};
  optim::for_each_leaf(
      m,
      [](std::size_t n, float* w, auto* of_g, auto* of_state) {
        static_assert(std::is_same_v<decltype(of_g), float const*> && std::is_same_v<decltype(of_state), float*>);
        for (std::size_t i = 0; i < n; ++i) {
          w[i] = 10 * of_g[i];
          of_state[i] = -of_g[i];
        }
      },
      g, state);
  CHECK(m.first == tensor<float, 2>{10, 20});
  CHECK(m.second == 30);
  CHECK(state.first == tensor<float, 2>{-1, -2});
  CHECK(state.second == -3);
}

TEST_CASE("a tensor, a scalar and a tuple are models as well") {
  tensor<double, 3> t{1, 2, 3}, u{10, 20, 30};
  optim::for_each_leaf(
      t,
      [](std::size_t n, double* w, double* o) {
        while (n-- > 0) *w++ += *o++;
      },
      u);
  CHECK(t == tensor<double, 3>{11, 22, 33});
  double x = 1, y = 2;
  optim::for_each_leaf(x, [](std::size_t n, double* w, double* o) { *w = static_cast<double>(n) + *o; }, y);
  CHECK(x == 3);
  std::tuple<float, double, int> a{1.0f, 2.0, 3}, b{4.0f, 5.0, 6};
  optim::for_each_leaf(a, []<class T>(std::size_t, T* w, T* o) { *w += *o; }, b);
  CHECK(a == std::tuple{5.0f, 7.0, 3});
}

}  // namespace
