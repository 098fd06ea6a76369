// counts: programs of arguments of which so many entries count, at every count, against the plain evaluation of the
// same loss traced for arguments of that very size. What does not count is NaN.
#pragma once

#include "laws/agree.hpp"

#include <etch/etch.hpp>

#include <memory>

namespace laws {

/// The loss `f` for arguments `A`, differentiated in all of them, as a graph that can be interpreted.
template <class F, class... A>
graph gradients_as_graph(F f) {
  graph const traced = pass::trace<F, A...>(f);
  sequence<int> leaves;
  for (int id = 0; id < traced.size(); ++id)
    if (traced[id].op == opcode_of<op::input> && is_floating(traced[id].type)) leaves.push_back(id);
  return at_run_time::plain(at_run_time::differentiate(traced, leaves));
}

/// `x` of shape `A`, with its last dimension of `Count` entries.
template <int Count, class A>
struct fixed_form {
  using type = A;
};
template <int Count, class T, int... Dims>
  requires(etch::detail::last_is_counted<Dims...>())
struct fixed_form<Count, tensor<T, Dims...>> {
  template <int... Axis>
  static auto of(std::integer_sequence<int, Axis...>)
      -> tensor<T, (Axis + 1 == static_cast<int>(sizeof...(Dims)) ? Count : make_shape(Dims...)[Axis])...>;
  using type = decltype(of(std::make_integer_sequence<int, static_cast<int>(sizeof...(Dims))>{}));
};

/// Sets the count of `a`, if it has one, with NaN behind the entries that count.
template <class A>
void set_count(A& a, int n) {
  if constexpr (requires { a.resize(n); }) {
    a.resize(n);
    if constexpr (std::is_floating_point_v<typename A::scalar_type>)
      for (std::size_t i = a.size(); i < A::capacity; ++i)
        a[i] = std::numeric_limits<typename A::scalar_type>::quiet_NaN();
  }
}

template <int Count, class F, class Program, class... A>
void check_count(double tolerance, F, Program& step, std::tuple<A...> arguments) {
  std::apply([](auto&... each) { (set_count(each, Count), ...); }, arguments);
  std::vector<run::numbers> leaves;
  std::apply(
      [&](auto const&... each) {
        (leaves.push_back({each.begin(), each.end()}), ...);
        step(each...);
      },
      arguments);
  // For no entries at all there is no other form of the loss.
  graph const g = Count == 0 ? pass::at_count(Program::executable::graph, 0)
                             : gradients_as_graph<F, typename fixed_form<std::max(Count, 1), A>::type...>({});
  std::vector<run::numbers> const expected = at_run_time::interpret(g, leaves);
  CAPTURE(Count);
  CHECK(distance(static_cast<double>(step.value()), expected[0][0]) < tolerance);
  std::size_t output = 1;
  auto const compare = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using type = std::tuple_element_t<I, std::tuple<A...>>;
    if constexpr (std::is_floating_point_v<typename type::scalar_type>) {
      auto const& got = step.template grad<static_cast<int>(I)>();
      CAPTURE(I);
      REQUIRE(got.size() == std::get<I>(arguments).size());
      REQUIRE(expected[output].size() == got.size());
      std::size_t at = 0;
      for (auto each : got) CHECK(distance(static_cast<double>(each), expected[output][at++]) < tolerance);
      ++output;
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (compare(std::integral_constant<std::size_t, I>{}), ...);
  }(std::index_sequence_for<A...>{});
}

/// Compares at the counts `Counts`.
template <class Wrt, int... Counts, class F, class... A>
void check_counts(double tolerance, F f, A... arguments) {
  std::uint64_t seed = 1;
  (randomise(arguments, 0.25, 1, seed++), ...);
  auto const step = std::make_unique<decltype(compile<Wrt, allow_unused>(f, arguments...))>();
  (check_count<Counts>(tolerance, f, *step, std::tuple<A...>(arguments...)), ...);
}

// Arguments of up to 13 entries, a prime, and how near programs come to the interpreter.
constexpr int bound = 13;
using columns = tensor<double, 5, upto<bound>>;
using rows = tensor<double, 3, upto<bound>>;
using each_one = tensor<double, upto<bound>>;
constexpr double near = 1e-11;

}  // namespace laws
