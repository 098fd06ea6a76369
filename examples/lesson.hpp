// lesson: what the numbered examples have in common: their command line, and how they begin and end. Needs CLI11.
#pragma once

#include "report.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

namespace lesson {

/// An option that names a file or directory.
struct path_option {
  char const* name = nullptr;  ///< such as --data; null: there is none
  char const* type = "";
  char const* about = "";
};

/// The options of a lesson on the command line, with their defaults.
struct settings {
  char const* name;
  char const* about;    ///< one sentence, for --help
  int steps;            ///< of training, or as `steps_are` says
  double bound;         ///< what is to be reached
  char const* measure;  ///< what the bound is a bound of, for --help
  char const* steps_are = "gradient steps";
  path_option path_as{};
  std::optional<std::string> path{};
};

/// The outcome.
struct outcome {
  double loss;  ///< of the last step
  bool within_bound;
  report::memory_held memory;  ///< facts of the program that trained, or the tape
  long allocations;            ///< while it did
};

/// The lesson `teach(settings)`, which returns an `outcome`. The exit status: 1 if what it claims does
/// not hold, 2 if it could not begin.
template <class Teach>
int run(int argc, char** argv, settings s, Teach const& teach) {
  report::keep_output_off_the_heap();
  CLI::App app{s.about};
  try {
    app.add_option("--steps", s.steps, s.steps_are)->capture_default_str()->check(CLI::Range(1, 1'000'000));
    app.add_option("--bound", s.bound, s.measure)->capture_default_str()->check(CLI::Number);
    if (s.path_as.name != nullptr) app.add_option(s.path_as.name, s.path, s.path_as.about)->type_name(s.path_as.type);
    app.parse(argc, argv);
    outcome const came = teach(s);
    report::memory(came.memory, came.allocations);
    return report::judge(s.name, {{std::isfinite(came.loss), "the loss is not finite"},
                                  {came.allocations == 0, "heap memory was allocated"},
                                  {came.within_bound, "the result is not within its bound (see --help)"}});
  } catch (CLI::ParseError const& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "%s: %s (see --help)\n", s.name, e.what());
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s: %s\n", s.name, e.what());
  }
  return 2;
}

}  // namespace lesson
