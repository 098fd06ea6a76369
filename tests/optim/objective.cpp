#include <etch/etch.hpp>
#include <etch/optim/objective.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etch;

constexpr auto loss = [](auto model, auto target) { return sum(square(model - target)) - log(model(0)); };

using vector_type = tensor<double, 2>;

struct fixture {
  vector_type model{1, 2};
  vector_type const target{3, 5};
  decltype(compile<wrt<0>>(loss, model, target)) step;
  optim::objective<decltype(step), vector_type, vector_type> at{step, model, target};
};

TEST_CASE("value and gradient at a vector of numbers") {
  fixture f;
  double const x[] = {2, 4};
  double gradient[2];
  CHECK(f.at(x, gradient) == doctest::Approx(2 - std::log(2)));
  CHECK(gradient[0] == doctest::Approx(-2.5));
  CHECK(gradient[1] == doctest::Approx(-2));
  CHECK(f.at(x, nullptr) == doctest::Approx(2 - std::log(2)));
  CHECK(f.at.evaluations() == 2);
  CHECK(f.model == vector_type{2, 4});
}

template <class T>
struct two {
  param<T, 2> first;
  T second;
  ETCH_MEMBERS(two, first, second)
};
constexpr auto loss_of_two = [](auto model) { return sum(square(model.first)) + square(model.second); };

TEST_CASE("the gradient of a member is none of the model") {
  auto whole = compile<wrt<0>>(loss_of_two, two<double>{});
  auto part = compile<wrt_members<0, "first">>(loss_of_two, two<double>{});
  static_assert(optim::detail::has_whole_gradient<decltype(whole), two<double>>);
  static_assert(!optim::detail::has_whole_gradient<decltype(part), two<double>>);
}

TEST_CASE("the best point is kept; a value that is no number is never the best") {
  fixture f;
  double const points[][2] = {{3, 4}, {3, 5}, {-1, 5}, {2, 5}};
  CHECK(f.at.begin("test") == doctest::Approx(13));
  for (auto const& x : points) f.at(x, nullptr);
  f.at.keep_best();
  CHECK(f.model == vector_type{3, 5});
}

TEST_CASE("what begins at no finite value is refused, and the model stays") {
  fixture f;
  f.model = {-1, 2};
  optim::objective at(f.step, f.model, f.target);
  CHECK_THROWS_WITH_AS(at.begin("test"), doctest::Contains("etch: test: the value at the model given is"),
                       etch::exception);
  CHECK(f.model == vector_type{-1, 2});
}

}  // namespace
