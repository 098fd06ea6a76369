#include <etch/compile/program.hpp>
#include <etch/op/statistics.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

// Programs of static storage are constants whatever the model is made of: no initialiser runs,
// and the gradients begin at zero.
template <class T>
struct part {
  param<T, 3> mean;
  T weight;
  ETCH_MEMBERS(part, mean, weight)
};
template <class T>
struct number_only {
  T weight;
  ETCH_MEMBERS(number_only, weight)
};
template <class T>
struct in_array {
  std::array<part<T>, 2> parts;
  std::array<number_only<T>, 2> numbers;
  ETCH_MEMBERS(in_array, parts, numbers)
};
template <class T>
struct in_tuple {
  std::tuple<part<T>, std::array<part<T>, 2>> parts;
  ETCH_MEMBERS(in_tuple, parts)
};
template <class T>
struct in_struct {
  part<T> first;
  in_array<T> second;
  T weight;
  ETCH_MEMBERS(in_struct, first, second, weight)
};

constexpr auto of_part = [](auto p, auto x) { return p.weight * squared_norm(x - p.mean); };

constinit auto array_step = compile(
    [](auto m, auto x) {
      return of_part(m.parts[0], x) + of_part(m.parts[1], x) + m.numbers[0].weight * m.numbers[1].weight;
    },
    in_array<double>{}, tensor<double, 3>{});
constinit auto tuple_step =
    compile([](auto m, auto x) { return of_part(std::get<0>(m.parts), x) + of_part(std::get<1>(m.parts)[1], x); },
            in_tuple<double>{}, tensor<double, 3>{});
constinit auto struct_step =
    compile([](auto m, auto x) { return of_part(m.first, x) + of_part(m.second.parts[1], x) * m.weight; },
            in_struct<double>{}, tensor<double, 3>{});

TEST_CASE("a constant program has gradients of zero before its first call, and those of the call after it") {
  CHECK(array_step.grad<0>().parts[1].weight == 0);
  CHECK(array_step.grad<0>().numbers[1].weight == 0);
  CHECK(std::get<0>(tuple_step.grad<0>().parts).weight == 0);
  CHECK(struct_step.grad<0>().second.parts[0].weight == 0);

  tensor<double, 3> const x{1, 2, 2};
  in_array<double> a{};
  a.parts[1].weight = 3, a.numbers[0].weight = 5;
  CHECK(array_step(a, x) == 27);
  CHECK(array_step.grad<0>().parts[0].weight == 9);
  CHECK(array_step.grad<0>().numbers[1].weight == 5);
  in_tuple<double> t{};
  std::get<0>(t.parts).weight = 2;
  CHECK(tuple_step(t, x) == 18);
  CHECK(std::get<1>(tuple_step.grad<0>().parts)[1].weight == 9);
  in_struct<double> s{};
  s.second.parts[1].weight = 1, s.weight = 4;
  CHECK(struct_step(s, x) == 36);
  CHECK(struct_step.grad<0>().weight == 9);
}

}  // namespace
