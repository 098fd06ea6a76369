#include <etch/etch.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace etch;
using pass::source;

namespace {

constexpr int inputs = 3;

/// `Steps` instructions of a few ops, each on earlier values.
template <int Steps>
fixed<run::step_signature, Steps> random_code(std::mt19937& draw) {
  opcode const ops[] = {opcode_of<op::add>, opcode_of<op::mul>, opcode_of<op::sin>, opcode_of<op::exp>,
                        opcode_of<op::pow>, opcode_of<op::erf>, opcode_of<op::neg>, opcode_of<op::select>};
  fixed<run::step_signature, Steps> code;
  for (int i = 0; i < Steps; ++i) {
    code.entry[i].op = ops[draw() % std::size(ops)];
    for (int& each : code.entry[i].operand.entry) each = static_cast<int>(draw() % static_cast<unsigned>(inputs + i));
  }
  return code;
}

/// The turn of each instruction; every instruction has one.
template <int Steps>
std::vector<int> turn_of(run::turns<Steps> const& t) {
  std::vector<int> turn(Steps, -1);
  CHECK(t.begin[0] == 0);
  CHECK(t.begin[static_cast<std::size_t>(t.size)] == Steps);
  for (int k = 0; k < t.size; ++k)
    for (int i = t.begin.entry[k]; i < t.begin.entry[k + 1]; ++i) {
      CHECK(turn[static_cast<std::size_t>(t.step.entry[i])] == -1);
      turn[static_cast<std::size_t>(t.step.entry[i])] = k;
    }
  return turn;
}

template <int Steps>
void check_random_turns() {
  std::mt19937 draw(Steps);
  for (int most : {2, 4, 16})
    for (int run = 0; run < 20; ++run) {
      auto const code = random_code<Steps>(draw);
      auto const t = run::turns_of(code, inputs, most);
      auto const turn = turn_of(t);
      for (std::size_t i = 0; i < Steps; ++i) {
        int const k = turn[i], count = t.begin.entry[k + 1] - t.begin.entry[k];
        CHECK(count <= most);
        CHECK(code[i].op == code.entry[t.step.entry[t.begin.entry[k]]].op);
        if (count > 1) CHECK(run::is_worth_a_register(code[i]));
        for (int o = 0; o < op_table[code[i].op].arity; ++o)
          if (int const from = code[i].operand.entry[o] - inputs; from >= 0)
            CHECK(turn[static_cast<std::size_t>(from)] < k);
      }
    }
}

/// The signature of a kernel of one entry: N sines of its inputs, or powers of two neighbours.
template <class T, int N>
consteval auto functions_of(opcode op) {
  run::signature<N, N, N> s;
  s.type = element_of<T>;
  s.extent = {1, 1, 1, 1};
  for (int i = 0; i < N; ++i) {
    s.in.entry[i] = {source::memory, s.type, {}, 0};
    s.code.entry[i] = {op, {i, (i + 1) % N, 0}};
    s.out.entry[i] = {{}, N + i, false, false, 0};
  }
  return s;
}

/// Whether both are the same, or differ by the two roundings that a contraction saves.
template <class T>
bool agree(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  return a == b || std::abs(a - b) <= 2 * std::numeric_limits<T>::epsilon() * std::abs(b);
}

/// Runs the kernel on each cyclic order of `x`, so that every number meets every lane.
template <class Op, class T, int N>
void check_functions(std::vector<T> const& x) {
  static constexpr auto s = functions_of<T, N>(opcode_of<Op>);
  CAPTURE(N);
  CAPTURE(Op::name);
  for (std::size_t first = 0; first < x.size(); ++first) {
    std::vector<T> in, out(N, T(100));
    for (int i = 0; i < N; ++i) in.push_back(x[(first + static_cast<std::size_t>(i)) % x.size()]);
    std::vector<std::byte*> pointers;
    for (T& each : in) pointers.push_back(reinterpret_cast<std::byte*>(&each));
    for (T& each : out) pointers.push_back(reinterpret_cast<std::byte*>(&each));
    run::elementwise_kernel<run::pack_signature<s>()>::run(pointers.data());
    for (std::size_t i = 0; i < N; ++i) {
      T expected;
      if constexpr (Op::arity == 1) expected = Op::value(in[i]);
      else expected = Op::value(in[i], in[(i + 1) % N]);
      CHECK(agree(out[i], expected));
      CHECK(std::signbit(out[i]) == std::signbit(expected));
    }
  }
}

template <class T>
void check_all_functions() {
  T const infinite = std::numeric_limits<T>::infinity(), tiny = std::numeric_limits<T>::denorm_min();
  std::vector<T> const x{T(0.5), T(-2), T(1e6), infinite, T(0), -T(0), std::numeric_limits<T>::max(),
                         tiny,   T(3),  -T(30), -infinite};
  check_functions<op::sin, T, 1>(x);
  check_functions<op::sin, T, 2>(x);
  check_functions<op::exp, T, 3>(x);
  check_functions<op::tanh, T, 5>(x);
  check_functions<op::log, T, 9>(x);
  check_functions<op::sin, T, 17>(x);
  check_functions<op::erf, T, 3>(x);
  check_functions<op::pow, T, 2>(x);
  check_functions<op::pow, T, 7>(x);
}

/// Functions of functions, several of each.
constexpr auto mixed = [](auto a, auto b, auto c) {
  using std::atan, std::cos, std::exp, std::sin;
  auto const u = sin(a * b), v = sin(b * c), w = sin(c + a);
  return exp(u * v) + exp(cos(v) * w) * atan(u) + atan(w + exp(u)) * cos(a);
};

template <class T>
void check_program(T tolerance) {
  auto const of_doubles = [](double a, double b, double c) { return mixed(a, b, c); };
  static auto program = compile<wrt<0, 1, 2>>(mixed, T(), T(), T());
  for (double scale : {1.0, -0.3, 2.5}) {
    double const a = 0.7 * scale, b = 1.1 * scale, c = -0.4 * scale, h = 1e-5;
    CHECK(program(T(a), T(b), T(c)) == doctest::Approx(of_doubles(a, b, c)).epsilon(tolerance));
    auto const slope = [&](double da, double db, double dc) {
      return doctest::Approx((of_doubles(a + da, b + db, c + dc) - of_doubles(a - da, b - db, c - dc)) / (2 * h))
          .epsilon(1e-8 + tolerance);
    };
    CHECK(program.template grad<0>() == slope(h, 0, 0));
    CHECK(program.template grad<1>() == slope(0, h, 0));
    CHECK(program.template grad<2>() == slope(0, 0, h));
  }
}

}  // namespace

TEST_CASE(
    "turns are an order in which each instruction finds its operands, and only instructions of one op share one") {
  check_random_turns<1>();
  check_random_turns<7>();
  check_random_turns<40>();
}

TEST_CASE("an op waits for those that are to share its turn, and what is cheap or branches has a turn of its own") {
  // exp(a), sin(b), exp(sin(b)), a + b, erf(a), erf(b)
  constexpr fixed<run::step_signature, 6> code{{{opcode_of<op::exp>, {0}},
                                                {opcode_of<op::sin>, {1}},
                                                {opcode_of<op::exp>, {4}},
                                                {opcode_of<op::add>, {0, 1}},
                                                {opcode_of<op::erf>, {0}},
                                                {opcode_of<op::erf>, {1}}}};
  constexpr auto t = run::turns_of(code, inputs, 8);
  static_assert(t.longest == 2);
  auto const turn = turn_of(t);
  CHECK(t.size == 5);
  CHECK(turn[0] == turn[2]);
  CHECK(turn[1] < turn[0]);
  CHECK(turn[4] != turn[5]);
}

TEST_CASE("numbers that share a register are what each is by itself") {
  check_all_functions<float>();
  check_all_functions<double>();
}

TEST_CASE("functions of functions of numbers have their values and derivatives") {
  check_program<double>(1e-13);
  check_program<float>(1e-5f);
}

TEST_CASE("a kernel of many entries is not one of a single entry, however many they are") {
  static constexpr auto with_extent = [](int rows, int columns) {
    run::signature<1, 1, 1> s;
    s.extent = {rows, columns, 1, 1};
    return s;
  };
  static_assert(run::is_one_entry(with_extent(1, 1)));
  static_assert(!run::is_one_entry(with_extent(1, 2)));
  static_assert(!run::is_one_entry(with_extent(1 << 16, 1 << 16)));
}
