#include "../../bench/run/adbench.hpp"
#include "golden/golden.hpp"

#include <etch/etch.hpp>

#include "../../bench/run/adbench_lstm/loss.hpp"

#include <doctest/doctest.h>

TEST_CASE("ADBench's LSTM") {
  auto const file = golden::file::read("adbench_lstm_l2_c1024");
  std::vector<double> const numbers = bench::adbench_file("lstm_l2_c1024.txt");
  if (file.value.empty() || numbers.empty()) return;
  static etch::tensor<double, 14, 4, 2, 2> main;
  static etch::tensor<double, 14, 3> extra;
  static etch::tensor<double, 14, 2, 2> state;
  static etch::tensor<double, 14, 1024> sequence;
  REQUIRE(numbers.size() == 3 + main.size() + extra.size() + state.size() + sequence.size());
  std::size_t at = 3;
  auto const fill = [&](auto& t) {
    for (double& e : t) e = numbers[at++];
  };
  fill(main), fill(extra), fill(state), fill(sequence);
  static auto step = etch::compile<etch::wrt<0, 1>>(lstm_problem::loss, main, extra, state, sequence);
  CHECK(step(main, extra, state, sequence) == doctest::Approx(file.value.at("loss")[0]).epsilon(1e-12));
  golden::compare(step.grad<0>(), file.grad.at("main"), 1e-11);
  golden::compare(step.grad<1>(), file.grad.at("extra"), 1e-11);
}
