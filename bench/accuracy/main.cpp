// The largest errors of values and derivatives, in units in the last place, as a table and as a test.
#include "library.hpp"
#include "measure.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>

namespace {

using namespace accuracy;

/// The largest errors of one function in one type.
struct errors {
  worst value, usual, precise;
};
struct row {
  std::string name, values, slopes;
  errors in_float, in_double;
};

constexpr double most_of_values = 2, most_of_rules = 4;

std::string text(double v) {
  std::ostringstream out;
  if (std::isinf(v)) out << (v < 0 ? "-∞" : "∞");
  else out << std::setprecision(3) << v;
  return out.str();
}
/// Ends that are not the numbers printed, but next to them, are open.
std::string text(range r) {
  if (r.low == -infinity && r.high == infinity) return "all";
  auto const low = text(r.low), high = text(r.high);
  auto const is = [](double v, std::string const& printed) {
    return std::isinf(v) || std::strtod(printed.c_str(), nullptr) == v;
  };
  return (is(r.low, low) ? "[" : "(") + low + ", " + high + (is(r.high, high) ? "]" : ")");
}
std::string text(range within, range absolute) {
  return absolute.low < absolute.high ? text(within) + ", absolute in " + text(absolute) : text(within);
}
std::string ulps(worst const& w) {
  std::ostringstream out;
  if (std::isinf(w.ulp)) out << "wrong";
  else if (w.ulp < 1000) out << std::fixed << std::setprecision(2) << w.ulp;
  else out << std::scientific << std::setprecision(0) << w.ulp;
  return out.str();
}

/// Points with as many entries as fill registers of any width.
template <class T>
void fill_registers(std::vector<T>& x) {
  while (x.size() % 16 != 0) x.push_back(x.back());
}

template <class T>
worst value_error(implementation const& op, std::vector<std::vector<T>> const& x, std::vector<quad> const& truth) {
  std::vector<T> y(x[0].size());
  T const* operands[] = {x[0].data(), x.back().data()};
  worst w;
  for (auto const& [width, evaluate] : op.in<T>()) {
    evaluate(operands, y.data(), y.size());
    for (std::size_t i = 0; i < y.size(); ++i) w.meet(distance(y[i], truth[i]), x[0][i], x.back()[i]);
  }
  return w;
}

template <class T>
worst slope_error(std::string const& name, std::vector<std::vector<T>> const& x,
                  std::vector<std::vector<quad>> const& truth, bool precise, range absolute = {infinity, -infinity}) {
  std::vector<std::vector<double>> points;
  for (auto const& each : x) points.emplace_back(each.begin(), each.end());
  auto const got = slopes<T>(name, points, precise);
  // Nearer to 0 a factor of the derivative may underflow where the derivative does not.
  quad const least = 1024 * quad(std::numeric_limits<T>::min());
  worst w;
  for (std::size_t k = 0; k < truth.size(); ++k)
    for (std::size_t i = 0; i < truth[k].size(); ++i) {
      if (truth[k][i] != 0 && abs(truth[k][i]) < least) continue;
      bool const near_zero = points[0][i] > absolute.low && points[0][i] < absolute.high;
      w.meet(distance(static_cast<T>(got[k][i]), truth[k][i], near_zero ? 0.25 : 0), x[0][i], x.back()[i]);
    }
  return w;
}

/// Whether a value of type T is infinite or has lost digits to underflow, so that nothing is
/// promised of a derivative made from it.
template <class T>
bool is_extreme(quad const& value) {
  using limits = std::numeric_limits<T>;
  return abs(value) > quad(limits::max()) || (value != 0 && abs(value) < 1024 * quad(limits::min()));
}

template <class T>
errors measure(unary const& f, implementation const& op, std::size_t n) {
  errors e;
  std::vector<std::vector<T>> x{sample<T>(f.values, n)};
  fill_registers(x[0]);
  std::vector<quad> truth;
  for (T v : x[0]) truth.push_back(f.value(quad(v)));
  e.value = value_error(op, x, truth);
  x[0] = sample<T>(f.slopes, n / 4);
  std::erase_if(x[0], [&](T v) { return is_extreme<T>(f.value(quad(v))); });
  truth.clear();
  for (T v : x[0]) truth.push_back(f.slope(quad(v)));
  e.usual = slope_error(f.name, x, {truth}, false, f.absolute);
  e.precise = slope_error(f.name, x, {truth}, true, f.absolute);
  return e;
}

/// Pairs of finite points, those that `allowed` takes; every first one meets second ones
/// from all parts of their sample.
template <class T>
std::vector<std::vector<T>> pairs(range a, range b, std::size_t n, auto allowed) {
  std::vector<T> const some = sample<T>(a, n), others = sample<T>(b, n, 2);
  std::vector<std::vector<T>> x(2);
  for (std::size_t i = 0; i < 4 * n; ++i) {
    T const first = some[i % some.size()], second = others[(i * 7919 + i / some.size()) % others.size()];
    if (std::isinf(first) || std::isinf(second) || !allowed(quad(first), quad(second))) continue;
    x[0].push_back(first), x[1].push_back(second);
  }
  for (auto& each : x) fill_registers(each);
  return x;
}
template <class T>
std::vector<quad> truth_of(quad (*f)(quad, quad), std::vector<std::vector<T>> const& x) {
  std::vector<quad> y;
  for (std::size_t i = 0; i < x[0].size(); ++i) y.push_back(f(quad(x[0][i]), quad(x[1][i])));
  return y;
}

template <class T>
errors measure(binary const& f, implementation const& op, std::size_t n) {
  errors e;
  auto const x = pairs<T>(f.a, f.b, n, [](quad const&, quad const&) { return true; });
  auto const at = pairs<T>(f.slopes_a, f.slopes_b, n / 4,
                           [&](quad const& a, quad const& b) { return !is_extreme<T>(f.value(a, b)); });
  e.value = value_error(op, x, truth_of(f.value, x));
  std::vector<std::vector<quad>> const truth{truth_of(f.slope_a, at), truth_of(f.slope_b, at)};
  e.usual = slope_error(f.name, at, truth, false);
  e.precise = slope_error(f.name, at, truth, true);
  return e;
}

std::string table(std::vector<row> const& rows, std::size_t n) {
  std::ostringstream out;
#ifdef __clang__
  out << "# Accuracy\n\nClang " << __clang_major__;
#else
  out << "# Accuracy\n\ng++ " << __GNUC__;
#endif
  out << ", registers of " << width<float>() << " floats or " << width<double>() << " doubles. " << n
      << " points for each way of sampling, besides ends and special values.\n\n"
         "The largest error met, in units in the last place of the correctly rounded result, against 113 bits; a "
         "value's is the largest "
         "of\n"
         "scalars and registers of every width. Rules are the derivatives, as usual and with `etch::precise`, of an "
         "incoming gradient of 1; around a "
         "zero\n"
         "of the derivative its error counts in ulps of 1/4. Written by `bench/accuracy`.\n\n"
         "With `-ffast-math` every value stays within the same 2 ulp, in g++ and clang, scalar and in every register\n"
         "(`tests/accuracy/fast_math.cpp`): formulas whose digits depend on the order of their operations are shielded "
         "from\n"
         "reassociation, at no cost without the flag. The flag's losses are real: a result that is or comes "
         "from an infinity, a\n"
         "NaN or a subnormal number may be anything, and a zero may lose its sign; rules are reassociated, so "
         "`etch::precise` promises\n"
         "nothing; sums are added in another order. Code that works with infinities (`nn::ctc`, masks of -inf in a "
         "softmax, "
         "`status()` and\n"
         "tests for NaN) needs `-fno-finite-math-only` beside it. clang shields only on x86; before clang 17, square "
         "roots of floats\n"
         "are up to 2.6 ulp off.\n\n"
         "| function | values at | float | double | derivatives at | float | precise | double | precise |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (row const& r : rows)
    out << "| " << r.name << " | " << r.values << " | " << ulps(r.in_float.value) << " | " << ulps(r.in_double.value)
        << " | " << r.slopes << " | " << ulps(r.in_float.usual) << " | " << ulps(r.in_float.precise) << " | "
        << ulps(r.in_double.usual) << " | " << ulps(r.in_double.precise) << " |\n";
  return out.str();
}

/// How many of the promises hold; each that does not is printed.
int broken_promises(std::vector<row> const& rows, int& kept) {
  int broken = 0;
  auto const demand = [&](row const& r, char const* what, worst const& w, double most) {
    if (w.ulp <= most) return static_cast<void>(++kept);
    ++broken;
    std::printf("%s: %s: %g ulp at %.17g, %.17g; %g are allowed\n", r.name.c_str(), what, w.ulp, w.at, w.beside, most);
  };
  for (row const& r : rows) {
    demand(r, "value in float", r.in_float.value, most_of_values);
    demand(r, "value in double", r.in_double.value, most_of_values);
    demand(r, "precise rule in float", r.in_float.precise, most_of_rules);
    demand(r, "precise rule in double", r.in_double.precise, most_of_rules);
  }
  return broken;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"errors of values and derivatives in units in the last place"};
  std::size_t n = 4000;
  std::string only, file;
  bool check = false;
  app.add_option("--samples", n, "points for each way of sampling")
      ->capture_default_str()
      ->check(CLI::Range(16, 100000000));
  app.add_option("--only", only, "this function alone");
  app.add_option("--table", file, "write the table to this file")->type_name("FILE");
  app.add_flag("--check", check, "exit with status 1 where a value or a precise rule misses its promise");
  CLI11_PARSE(app, argc, argv);

  std::vector<unary> unaries;
  std::vector<binary> binaries;
  add_elementary(unaries), add_elementary(binaries);
  add_special(unaries), add_special(binaries);
  std::vector<row> rows;
  int kept = 0, broken = 0;
  for (implementation const& op : implementations()) {
    if (!only.empty() && op.name != only) continue;
    bool known = op.name == "zeta" || op.name == "gaussian" ||  // measured as the rules of digamma and erf
                 op.name == "stumpff";                          // in tests/math/rotation.cpp
    for (unary const& f : unaries)
      if (op.arity == 1 && f.name == op.name) {
        known = true;
        rows.push_back(
            {f.name, text(f.values), text(f.slopes, f.absolute), measure<float>(f, op, n), measure<double>(f, op, n)});
      }
    for (binary const& f : binaries)
      if (op.arity == 2 && f.name == op.name) {
        known = true;
        rows.push_back({f.name, text(f.a) + " × " + text(f.b), text(f.slopes_a) + " × " + text(f.slopes_b),
                        measure<float>(f, op, n), measure<double>(f, op, n)});
      }
    if (known) continue;
    ++broken;
    std::printf("%s: there is no oracle\n", op.name.c_str());
  }
  std::string const page = table(rows, n);
  if (file.empty() && !check) std::fputs(page.c_str(), stdout);
  if (!file.empty() && !(std::ofstream(file) << page)) {
    std::fprintf(stderr, "%s: cannot be written\n", file.c_str());
    return 2;
  }
  if (!check) return 0;
  broken += broken_promises(rows, kept);
  std::printf("%d passed, %d failed\n", kept, broken);
  return broken == 0 ? 0 : 1;
}
