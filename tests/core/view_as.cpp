#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using namespace etch;

template <class T>
struct pair {
  param<T, 3> first;
  param<T, 2, 2> second;
  ETCH_MEMBERS(pair, first, second)
};

TEST_CASE("memory is seen as a tensor or a struct, in its place") {
  alignas(64) double memory[sizeof(pair<double>) / sizeof(double)] = {1, 2, 3};
  auto& seen = view_as<pair<double>>(memory);
  static_assert(std::is_same_v<decltype(seen), pair<double>&>);
  CHECK(seen.first(2) == 3);
  seen.second(1, 1) = 7;
  CHECK(memory[8 + 3] == 7);
  double const* const constant = memory;
  static_assert(std::is_same_v<decltype(view_as<tensor<double, 3>>(constant)), tensor<double, 3> const&>);
  CHECK(&view_as<tensor<double, 3>>(constant) == &seen.first);
  CHECK(view_as<std::array<tensor<double, 3>, 2>>(memory)[1](3 - 1) == 0);
}

TEST_CASE("a program writes its gradient there, and adds to it") {
  constexpr auto loss = [](auto p, auto x) { return sum(p.second * x) + dot(p.first, p.first); };
  alignas(64) float model[32] = {1, 2, 3}, gradient[32] = {}, x[16] = {0.5f, 0.25f};
  auto step = compile(loss, pair<float>{}, tensor<float, 2>{});
  auto const& p = view_as<pair<float>>(model);
  CHECK(step(p, view_as<tensor<float, 2>>(x), into(view_as<pair<float>>(gradient))) == 14);
  CHECK(gradient[2] == 6);
  CHECK(gradient[16] == 0.5f);
  step(p, view_as<tensor<float, 2>>(x), add_to(view_as<pair<float>>(gradient)));
  CHECK(gradient[2] == 12);
  CHECK(gradient[19] == 0.5f);
  // The sentences about overlaps hold for it, too: the gradient in the place of the model is moved there in the end.
  step(p, view_as<tensor<float, 2>>(x), into(view_as<pair<float>>(model)));
  CHECK(model[2] == 6);
}

TEST_CASE("memory at other places is refused") {
  on_mistake = [](char const* sentence) { throw exception(sentence); };
  alignas(64) static float memory[32] = {};
  CHECK_THROWS_WITH(view_as<pair<float>>(memory + 4),
                    "etch: the memory given to view_as does not begin at a multiple of 64 bytes: declare it "
                    "alignas(64), or allocate it so");
  on_mistake = detail::print_and_abort;
}

}  // namespace
