#include <etch/op/random.hpp>

#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <type_traits>

namespace {

using namespace etch;

/// The result of a compiled program without gradients for a key.
template <class F, class Key>
auto drawn(F f, Key key) {
  auto const program = std::make_unique<decltype(compile<wrt<>>(f, key))>();
  return std::remove_cvref_t<decltype((*program)(key))>((*program)(key));
}

constexpr auto floats = [](auto key) { return random_uniform<float, 5, 7>(key); };
constexpr auto doubles = [](auto key) { return random_uniform<double, 3, 3>(random_key(key, 9)); };

TEST_CASE("the words are those of the generator, in memory order: one for a float, two for a double") {
  nn::generator words(123456789012345, 0), other(123456789012345, 9);
  for (float u : drawn(floats, 123456789012345)) CHECK(u == static_cast<float>(words.bits() >> 8) * 0x1p-24f);
  for (double u : drawn(doubles, 123456789012345)) {
    std::uint64_t const high = other.bits(), low = other.bits();
    CHECK(u == static_cast<double>((high << 32 | low) >> 11) * 0x1p-53);
  }
}

TEST_CASE("the type of the key does not matter, its value does") {
  CHECK(drawn(floats, 7) == drawn(floats, 7L));
  CHECK(drawn(floats, std::uint8_t{7}) == drawn(floats, 7));
  CHECK(drawn(floats, -1) == drawn(floats, -1L));
  CHECK(drawn(floats, 7) != drawn(floats, 8));
}

// One key, one mask: numbers that one compiler gave once, as constants and at run time.
constexpr auto kept = [](auto x, auto key) { return sum(cwise_product(dropout(x, key, 0.25), x)); };
constexpr auto dropped = [](auto x, auto key) { return sum(dropout(x, key, 0.25)); };
constexpr tensor<double, 8> mask_of(int key) { return grad(dropped)(tensor<double, 8>{1, 1, 1, 1, 1, 1, 1, 1}, key); }
constexpr double in = 1 / (1 - 0.25);
static_assert(mask_of(1) == tensor<double, 8>{in, in, in, in, 0, in, in, 0});
static_assert(mask_of(2) == tensor<double, 8>{in, in, 0, in, in, in, 0, 0});

TEST_CASE("the same key gives the same mask in constants and at run time, in the value and in the gradient") {
  int volatile key = 1;
  constexpr tensor<double, 8> mask = mask_of(1);
  tensor<double, 8> x;
  for (std::size_t i = 0; i < 8; ++i) x.data()[i] = 0.5 + static_cast<double>(i);
  auto const [value, g] = value_and_grad(kept)(x, key + 0);
  double sum = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(g.data()[i] == doctest::Approx(2 * x.data()[i] * mask.data()[i]));
    sum += x.data()[i] * x.data()[i] * mask.data()[i];
  }
  CHECK(value == doctest::Approx(sum));
}

TEST_CASE("dropout keeps its share of entries, and their mean") {
  static auto program =
      compile<wrt<>>([](auto x, auto key) { return dropout(x, key, 0.3); }, tensor<float, 100, 100>{}, 0);
  static tensor<float, 100, 100> ones;
  ones.fill(1);
  for (int key = 0; key < 5; ++key) {
    int zeros = 0;
    for (float y : program(ones, key)) {
      CHECK((y == 0 || y == doctest::Approx(1 / 0.7)));
      zeros += y == 0;
    }
    CHECK(std::abs(zeros - 3000) < 4 * std::sqrt(10000 * 0.3 * 0.7));  // four standard deviations
  }
}

TEST_CASE("at the ends everything is kept, or nothing, whatever it is") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  tensor<double, 3> const x{1, -2, inf};
  CHECK(drawn([](auto key) { return dropout(0 * cast<double>(key) + 3, key, 0.0); }, 5) == 3);
  auto all = compile<wrt<>>([](auto v, auto key) { return dropout(v, key, 0.0); }, x, 1);
  CHECK(all(x, 1) == x);
  auto none = compile([](auto v, auto key) { return sum(dropout(v, key, 1.0)); }, x, 1);
  CHECK(none(x, 1) == 0);
  CHECK(none.grad<0>() == tensor<double, 3>{});
}

TEST_CASE("the rate may be an argument") {
  static auto program =
      compile<wrt<>>([](auto x, auto key, auto rate) { return dropout(x, key, rate); }, tensor<double, 1000>{}, 1, 0.5);
  static tensor<double, 1000> ones;
  ones.fill(1);
  int zeros = 0;
  for (double y : program(ones, 1, 0.9)) zeros += y == 0;
  CHECK(zeros > 850);
  CHECK(zeros < 950);
}

TEST_CASE("folds of a key, and folds of folds, are different keys") {
  auto const all = drawn(
      [](auto key) {
        random_key const own(key);
        return concat<0>(random_uniform<float, 4>(own), random_uniform<float, 4>(own.fold(0)),
                         random_uniform<float, 4>(own.fold(1)), random_uniform<float, 4>(own.fold(0).fold(0)),
                         random_uniform<float, 4>(own.fold(0).fold(1)), random_uniform<float, 4>(own.fold(1).fold(0)),
                         random_uniform<float, 4>(own));
      },
      3);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < i; ++j) CHECK(all(i) != all(j));
  for (int i = 0; i < 4; ++i) CHECK(all(24 + i) == all(i));
}

TEST_CASE("normal numbers have the moments and the tail of the distribution") {
  static auto program = compile<wrt<>>([](auto key) { return random_normal<double, 200, 100>(key); }, 1);
  double first = 0, second = 0, fourth = 0;
  int beyond_two = 0;
  for (double z : program(4)) first += z, second += z * z, fourth += z * z * z * z, beyond_two += std::abs(z) > 2;
  double const n = 20000;
  CHECK(std::abs(first / n) < 4 / std::sqrt(n));
  CHECK(std::abs(second / n - 1) < 4 * std::sqrt(2 / n));
  CHECK(std::abs(fourth / n - 3) < 4 * std::sqrt(96 / n));
  CHECK(std::abs(beyond_two / n - 0.0455) < 4 * std::sqrt(0.0455 * 0.9545 / n));
}

TEST_CASE("noise drawn from a key knows nothing of what its folds leave out") {
  constexpr auto both = [](auto key) {
    random_key const own(key);
    return std::tuple(random_normal<double, 4000>(own), dropout(0 * cast<double>(key) + ones<4000>(), own.fold(0), 0.5),
                      dropout(0 * cast<double>(key) + ones<4000>(), own.fold(1), 0.5));
  };
  static auto program = compile<wrt<>>(both, 1);
  program(5);
  auto const& noise = program.result<0>();
  for (auto const* mask : {&program.result<1>(), &program.result<2>()}) {
    double count = 0, squares = 0, sum = 0;
    for (int i = 0; i < 4000; ++i)
      if ((*mask)(i) != 0) ++count, sum += noise(i), squares += noise(i) * noise(i);
    CHECK(std::abs(sum / count) < 4 / std::sqrt(count));
    CHECK(std::abs(squares / count - 1) < 4 * std::sqrt(2 / count));
  }
}

TEST_CASE("keys near the ends of their numbers are keys like others") {
  auto const all = drawn(
      [](auto key) {
        random_key const own(key);
        return concat<0>(random_uniform<double, 3>(own), random_uniform<double, 3>(own.fold(~std::uint64_t{0})),
                         random_uniform<double, 3>(own.fold(~std::uint64_t{0} >> 1)),
                         random_uniform<double, 3>(random_key(key, 1)));
      },
      8);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < i; ++j) CHECK(all(i) != all(j));
}

TEST_CASE("in a loop, a key for each step gives each its own mask") {
  constexpr auto loss = [](auto x, auto keys) {
    auto const total = [&](auto carry, auto key) { return carry + dropout(x, key, 0.5); };
    return sum(square(scan(total, zeros<6>(), keys)));
  };
  static auto step = compile(loss, tensor<double, 6>{}, tensor<int, 4>{});
  tensor<double, 6> const x{1, 2, 3, 4, 5, 6};
  step(x, {10, 11, 12, 13});
  // By hand: y = x times the number of steps that keep the entry, twice.
  for (int i = 0; i < 6; ++i) {
    double factor = 0;
    for (int key : {10, 11, 12, 13})
      factor += grad([](auto v, auto one) { return sum(dropout(v, one, 0.5)); })(x, key)(i);
    CHECK(step.grad<0>()(i) == doctest::Approx(2 * factor * factor * x(i)));
  }
}

TEST_CASE("no derivative flows through random numbers, and the reparametrised gradient is that of the formula") {
  constexpr auto loss = [](auto mean, auto deviation, auto key) {
    return sum(square(mean + deviation * random_normal<double, 5>(key)));
  };
  static auto step = compile<wrt<0, 1>>(loss, 0.5, 2.0, 1);
  step(0.5, 2.0, 77);
  auto const z = drawn([](auto key) { return random_normal<double, 5>(key); }, 77);
  double by_mean = 0, by_deviation = 0;
  for (double each : z) by_mean += 2 * (0.5 + 2 * each), by_deviation += 2 * (0.5 + 2 * each) * each;
  CHECK(step.grad<0>() == doctest::Approx(by_mean));
  CHECK(step.grad<1>() == doctest::Approx(by_deviation));
}

}  // namespace
