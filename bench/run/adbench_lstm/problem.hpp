// ADBench's LSTM: 2 layers whose weights are diagonal, 1024 characters of 14 bits, double;
// gradient with respect to all parameters.
#pragma once

#include "../adbench.hpp"
#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <tuple>

namespace lstm_problem {

inline constexpr int layers = 2, bits = 14, characters = 1024;

struct parameters {
  etch::tensor<double, bits, 4, 2, layers>
      main;                             ///< weights of the gates forget, input, output, change, then their biases
  etch::tensor<double, bits, 3> extra;  ///< weights of the input and of the output, bias of the output
  auto entries() const { return std::tie(main, extra); }
};

struct data {
  parameters model;
  etch::tensor<double, bits, 2, layers> state;  ///< hidden, cell
  etch::tensor<double, bits, characters> sequence;
};

struct problem {
  static constexpr char name[] = "adbench_lstm";
  static constexpr auto unit = benchmark::kMicrosecond;
  /// Of each bit of each layer and step: five functions of about 25 operations, 12 besides, and 45 on the way back.
  static constexpr double tolerance = 1e-9, flops = 182.0 * layers * bits * (characters - 1);
  using inputs = data;
  using gradient = parameters;

  /// ADBench's instance where `../shared/data/adbench` or `$ETCH_SHARED/data/adbench` is
  /// present, else one of random numbers.
  static void fill(data& made) {
    etch::nn::generator random(1);
    bench::adbench_numbers numbers("lstm_l2_c1024.txt", made.model.main.size() + made.model.extra.size() +
                                                            made.state.size() + made.sequence.size());
    auto const entries = [&](auto& t) {
      for (double& e : t) e = numbers.next_or(random.uniform());
    };
    entries(made.model.main), entries(made.model.extra), entries(made.state), entries(made.sequence);
  }
};
using rival = bench::rival<problem>;

}  // namespace lstm_problem
