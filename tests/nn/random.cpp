#include <etch/nn/random.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace {

using etch::nn::generator;

// Numbers that one compiler gave once: any other compiler, flag or machine must give the very same bits.
constexpr std::array<std::uint32_t, 8> golden_bits{0x47908b1c, 0x58bad16e, 0xee42c2f7, 0xab2cc3cf,
                                                   0x190d5b04, 0x50be3b68, 0xba250c1c, 0x2b14c21a};
constexpr std::array<double, 6> golden_uniform{0x1.d41f1bep-6,  0x1.19a4afb9p-1, 0x1.df61a47p-5,
                                               0x1.4d73f6e7p-1, 0x1.c53a6873p-1, 0x1.13b2dbcbp-1};
constexpr std::array<double, 6> golden_between{-0x1.65dec2a5b3334p-1, 0x1.e45d3c71999cp-5,  -0x1.446c757366668p-2,
                                               -0x1.edb1867d4p+0,     0x1.ce84039b66668p-2, 0x1.5de6a8cc1999cp-1};
constexpr std::array<double, 12> golden_normal{-0x1.8eee41167db96p-1, 0x1.c869656ba1dcbp-4, -0x1.333109445c181p-2,
                                               -0x1.8316db3904493p+0, 0x1.872a28ea6768fp-1, -0x1.82467644335e6p-3,
                                               -0x1.84fa97c75848fp+0, 0x1.04c495174843p+0,  -0x1.770bfde3bf6f4p-2,
                                               0x1.c4afbbf3625b9p-2,  0x1.efb5d53218e1ep-1, -0x1.992c2c0275a54p-8};
constexpr std::array<std::uint32_t, 12> golden_below{9, 1, 3, 0, 4, 9, 6, 2, 9, 1, 5, 0};
constexpr std::array<int, 10> golden_shuffle{0, 3, 9, 7, 8, 4, 2, 6, 1, 5};

/// Whether a generator from this seed and stream gives the numbers above, in this order.
constexpr bool reproduces(std::uint64_t seed, std::uint64_t stream) {
  generator random(seed, stream);
  bool same = true;
  for (std::uint32_t expected : golden_bits) same = random.bits() == expected && same;
  for (double expected : golden_uniform) same = random.uniform() == expected && same;
  for (double expected : golden_between) same = random.uniform(-3, 0.7) == expected && same;
  for (double expected : golden_normal) same = random.normal() == expected && same;
  for (std::uint32_t expected : golden_below) same = random.below(10) == expected && same;
  std::array<int, 10> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  random.shuffle(order);
  return same && order == golden_shuffle;
}
static_assert(reproduces(2024, 7) && !reproduces(2024, 8) && !reproduces(2025, 7));

TEST_CASE("the same seed gives the same bits on every compiler, at run time as in constants") {
  std::uint64_t volatile seed = 2024, stream = 7;
  CHECK(reproduces(seed, stream));
}

/// FNV-1a over the bits of `count` draws.
std::uint64_t digest(int count, auto draw) {
  std::uint64_t h = 1469598103934665603u;
  for (int i = 0; i < count; ++i) h = (h ^ std::bit_cast<std::uint64_t>(draw())) * 1099511628211u;
  return h;
}

TEST_CASE("two hundred thousand draws are the same to the last bit") {
  generator normals(99), uniforms(99);
  CHECK(digest(200000, [&] { return normals.normal(); }) == 0xcdde1bfafb42f534u);
  CHECK(digest(200000, [&] { return uniforms.uniform(-0.3, 7.7); }) == 0x4d16b7c525a40417u);
}

TEST_CASE("seeds and streams differ in every one of their bits, and copies continue alike") {
  std::set<std::uint32_t> first;
  for (int bit = 0; bit < 64; ++bit) {
    first.insert(generator(std::uint64_t{1} << bit, 0).bits());
    first.insert(generator(0, std::uint64_t{1} << bit).bits());
  }
  first.insert(generator(0, 0).bits());
  CHECK(first.size() == 129);
  generator a(5);
  for (int i = 0; i < 7; ++i) a.bits();
  generator b = a;
  std::uint32_t const next = a.bits();
  a.bits();
  CHECK(b.bits() == next);
}

struct moments {
  double mean, variance, skewness, kurtosis;
};
moments moments_of(std::vector<double> const& x) {
  double const n = static_cast<double>(x.size());
  double const mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double second = 0, third = 0, fourth = 0;
  for (double e : x) {
    double const d = e - mean;
    second += d * d;
    third += d * d * d;
    fourth += d * d * d * d;
  }
  second /= n;
  return {mean, second, third / n / std::pow(second, 1.5), fourth / n / (second * second)};
}

// Tolerances are four standard errors of each moment at this sample size.
constexpr int draws = 200000;

TEST_CASE("uniform numbers have the moments of their distribution and no end points") {
  generator random(3);
  std::vector<double> x(draws);
  for (double& e : x) e = random.uniform();
  auto const m = moments_of(x);
  CHECK(std::abs(m.mean - 0.5) < 4 * 0.2887 / std::sqrt(draws));
  CHECK(std::abs(m.variance - 1.0 / 12) < 4 * 0.0745 / std::sqrt(draws));
  CHECK(std::abs(m.skewness) < 0.01);
  CHECK(std::abs(m.kurtosis - 1.8) < 0.01);
  auto const [low, high] = std::minmax_element(x.begin(), x.end());
  CHECK(*low > 0);
  CHECK(*high < 1);
  CHECK(*low < 1e-4);
  CHECK(*high > 1 - 1e-4);
  std::array<int, 16> bins{};
  for (double e : x) ++bins[static_cast<std::size_t>(e * 16)];
  double chi = 0;
  for (int count : bins) chi += (count - draws / 16.0) * (count - draws / 16.0) / (draws / 16.0);
  CHECK(chi < 37.7);  // 0.999 quantile, 15 degrees of freedom
}

TEST_CASE("uniform numbers between bounds stay between them") {
  generator random(4);
  double low = 1e9, high = -1e9;
  for (int i = 0; i < 20000; ++i) {
    double const x = random.uniform(-2.5, 4);
    low = std::min(low, x);
    high = std::max(high, x);
  }
  CHECK(low > -2.5);
  CHECK(low < -2.49);
  CHECK(high < 4);
  CHECK(high > 3.99);
}

TEST_CASE("normal numbers have the moments of their distribution") {
  generator random(5);
  std::vector<double> x(draws);
  for (double& e : x) e = random.normal();
  auto const m = moments_of(x);
  CHECK(std::abs(m.mean) < 4 / std::sqrt(draws));
  CHECK(std::abs(m.variance - 1) < 4 * std::sqrt(2.0 / draws));
  CHECK(std::abs(m.skewness) < 4 * std::sqrt(6.0 / draws));
  CHECK(std::abs(m.kurtosis - 3) < 4 * std::sqrt(24.0 / draws));
  auto const within = [&](double limit) {
    return static_cast<double>(std::count_if(x.begin(), x.end(), [&](double e) { return std::abs(e) < limit; })) /
           draws;
  };
  CHECK(within(1) == doctest::Approx(0.682689).epsilon(0.006));
  CHECK(within(3) == doctest::Approx(0.997300).epsilon(0.0006));
  double neighbours = 0;
  for (std::size_t i = 1; i < x.size(); ++i) neighbours += x[i] * x[i - 1];
  CHECK(std::abs(neighbours / draws) < 4 / std::sqrt(draws));
}

TEST_CASE("the normal quantile agrees with tables") {
  using etch::nn::detail::normal_quantile;
  struct row {
    double p, z;
  };
  for (row const& known :
       {row{0.75, 0.6744897501960817}, row{0.9, 1.2815515655446004}, row{0.925, 1.4395314709384563},
        row{0.95, 1.6448536269514722}, row{0.975, 1.959963984540054}, row{0.99, 2.3263478740408408},
        row{0.995, 2.5758293035489004}, row{0.999, 3.090232306167813}, row{1 - 1e-6, 4.753424308822899}}) {
    CAPTURE(known.p);
    CHECK(normal_quantile(known.p) == doctest::Approx(known.z).epsilon(2e-7));
    CHECK(normal_quantile(1 - known.p) == doctest::Approx(-known.z).epsilon(2e-7));
  }
  CHECK(normal_quantile(1e-9) == doctest::Approx(-5.997807015007687).epsilon(2e-7));
  CHECK(normal_quantile(1e-20) == doctest::Approx(-9.262340089798408).epsilon(2e-7));
  CHECK(normal_quantile(0.5) == 0);
  double before = -100;  // monotone, also where the branches meet
  for (int i = 1; i < 20000; ++i) {
    double const z = normal_quantile(i / 20000.0);
    CHECK_MESSAGE(z > before, i);
    before = z;
  }
}

TEST_CASE("whole numbers below a bound are in range and equally likely") {
  generator random(6);
  for (int i = 0; i < 100; ++i) CHECK(random.below(1) == 0);
  std::array<int, 7> count{};
  for (int i = 0; i < 70000; ++i) {
    std::uint32_t const k = random.below(7);
    REQUIRE(k < 7);
    ++count[k];
  }
  double chi = 0;
  for (int c : count) chi += (c - 10000.0) * (c - 10000.0) / 10000;
  CHECK(chi < 22.5);  // 0.999 quantile, 6 degrees of freedom
}

TEST_CASE("bounds that do not divide 2^32 are without bias") {
  // Without rejection one residue modulo 3 would come half of the time.
  constexpr std::uint32_t bound = 3u << 30;
  generator random(7);
  std::array<int, 3> residue{};
  for (int i = 0; i < 30000; ++i) {
    std::uint32_t const k = random.below(bound);
    REQUIRE(k < bound);
    ++residue[k % 3];
  }
  for (int count : residue) CHECK(std::abs(count - 10000) < 4 * std::sqrt(30000 * 2 / 9.0));
}

TEST_CASE("a shuffle is a permutation, and every place is as likely for every element") {
  generator random(8);
  std::vector<int> many(1000);
  std::iota(many.begin(), many.end(), 0);
  random.shuffle(many);
  int at_home = 0;
  for (int i = 0; i < 1000; ++i) at_home += many[static_cast<std::size_t>(i)] == i;
  CHECK(at_home < 10);
  std::vector<int> sorted = many;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 1000; ++i) REQUIRE(sorted[static_cast<std::size_t>(i)] == i);

  std::array<std::array<int, 4>, 4> place{};
  for (int i = 0; i < 24000; ++i) {
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    random.shuffle(order);
    for (std::size_t at = 0; at < 4; ++at) ++place[at][order[at]];
  }
  for (auto const& row : place)
    for (int count : row) CHECK(std::abs(count - 6000) < 4 * std::sqrt(24000 * 3 / 16.0));

  std::vector<int> none, one{7};
  random.shuffle(none);
  random.shuffle(one);
  CHECK(none.empty());
  CHECK(one == std::vector<int>{7});
}

}  // namespace
