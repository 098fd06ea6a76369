// Reads the files of NIST's nonlinear regressions.
#include "nist.hpp"

#include <sstream>
#include <stdexcept>

namespace {

/// The text after `label` in `text`; throws where the label is missing.
std::string after(std::string const& text, std::string const& label, std::string const& name) {
  std::size_t const at = text.find(label);
  if (at == std::string::npos) throw std::runtime_error(name + ": there is no line `" + label + "`");
  return text.substr(at + label.size());
}

double number(std::istream& from, std::string const& name, char const* what) {
  double value = 0;
  if (!(from >> value)) throw std::runtime_error(name + ": a number is missing: " + what);
  return value;
}

}  // namespace

nist::dataset nist::parse(std::string text, std::string const& name) {
  // A misprint in some copies of Roszman1.dat, with which its parameters do not have their certified sum of squares.
  constexpr std::string_view misprint = "1.20196866396E-0 ";
  if (std::size_t const at = text.find(misprint); at != std::string::npos)
    text.replace(at, misprint.size(), "2.0196866396E-01");
  dataset d;
  std::size_t const level = text.find(" Level of Difficulty");
  if (level == std::string::npos) throw std::runtime_error(name + ": the level of difficulty is missing");
  std::size_t const word = text.find_last_of(" \n", level - 1) + 1;
  d.level = text.substr(word, level - word);

  std::istringstream parameters(after(text, "Parameter     Standard Deviation", name));
  std::string label, equals;
  while (parameters >> label >> equals && label.starts_with("b") && equals == "=") {
    for (auto& start : d.start) start.push_back(number(parameters, name, "a starting value"));
    d.certified.push_back(number(parameters, name, "a certified value"));
    d.deviation.push_back(number(parameters, name, "a standard deviation"));
  }
  std::istringstream squares(after(text, "Residual Sum of Squares:", name));
  d.squares = number(squares, name, "the residual sum of squares");
  std::istringstream residual(after(text, "Residual Standard Deviation:", name));
  d.residual_deviation = number(residual, name, "the residual standard deviation");

  std::size_t const data = text.rfind("\nData:");
  if (data == std::string::npos) throw std::runtime_error(name + ": there are no data");
  std::istringstream lines(text.substr(data + 1));
  std::string line;
  std::getline(lines, line);  // the names of the columns
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    double y = 0;
    if (!(numbers >> y)) continue;
    d.y.push_back(y);
    for (double x; numbers >> x;) d.x.push_back(x);
  }
  return d;
}
