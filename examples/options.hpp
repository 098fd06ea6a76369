// options: the command line of train_digits.
#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

struct options {
  std::optional<std::string> data;
  int epochs = 20;
  std::uint64_t seed = 1;
  double lr = 0.005;
  double require_accuracy = 0;
};

/// CLI11 would wrap a negative seed around, and saturate a large one.
inline std::string fault_of_seed(std::string const& text) {
  std::uint64_t seed = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  return error == std::errc{} && end == text.data() + text.size() ? "" : "a whole number, 0 to 2^64 - 1";
}

/// The command line, with the defaults of `o`. Throws `CLI::ParseError`: for --help as for a mistake, which are told
/// apart by its exit code.
inline options parse(CLI::App& app, int argc, char** argv, options o = {}) {
  app.add_option("--data", o.data, "directory with MNIST's files; without it, digits drawn by this program")
      ->type_name("DIR");
  app.add_option("--epochs", o.epochs, "passes over the training images")->capture_default_str();
  app.add_option("--seed", o.seed, "of initial weights and order of images")
      ->capture_default_str()
      ->check(fault_of_seed);
  app.add_option("--lr", o.lr, "learning rate at the start; it falls linearly to zero")->capture_default_str();
  app.add_option("--require-accuracy", o.require_accuracy, "exit with status 1 below this percentage")->type_name("P");
  app.parse(argc, argv);

  auto const demand = [](bool fact, char const* sentence) {
    if (!fact) throw CLI::ValidationError(sentence);
  };
  demand(o.epochs >= 1, "--epochs: at least 1");
  demand(std::isfinite(o.lr) && o.lr > 0, "--lr: a finite number above 0");
  demand(o.require_accuracy >= 0 && o.require_accuracy <= 100, "--require-accuracy: a percentage, 0 to 100");
  return o;
}
