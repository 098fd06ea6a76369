#include "../../bench/run/adbench.hpp"
#include "golden/golden.hpp"

#include <etch/etch.hpp>

#include "../../bench/run/adbench_lstm/loss.hpp"

#include <doctest/doctest.h>

namespace {

template <class T>
void check() {
  auto const file = golden::file::read("adbench_lstm_l2_c1024");
  std::vector<double> const numbers = bench::adbench_file("lstm_l2_c1024.txt");
  if (file.value.empty() || numbers.empty()) return;
  static etch::tensor<T, 14, 4, 2, 2> main;
  static etch::tensor<T, 14, 3> extra;
  static etch::tensor<T, 14, 2, 2> state;
  static etch::tensor<T, 14, 1024> sequence;
  REQUIRE(numbers.size() == 3 + main.size() + extra.size() + state.size() + sequence.size());
  std::size_t at = 3;
  auto const fill = [&](auto& t) {
    for (T& e : t) e = static_cast<T>(numbers[at++]);
  };
  fill(main), fill(extra), fill(state), fill(sequence);
  static auto step = etch::compile<etch::wrt<0, 1>>(lstm_problem::loss, main, extra, state, sequence);
  constexpr double tolerance = sizeof(T) == 4 ? golden::tolerance<T> : 1e-11;
  CHECK(static_cast<double>(step(main, extra, state, sequence)) ==
        doctest::Approx(file.value.at("loss")[0]).epsilon(tolerance));
  golden::compare(step.template grad<0>(), file.grad.at("main"), tolerance);
  golden::compare(step.template grad<1>(), file.grad.at("extra"), tolerance);
}

}  // namespace

TEST_CASE("ADBench's LSTM") {
  check<double>();
  check<float>();
}
