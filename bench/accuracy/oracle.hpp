// oracle: functions and derivatives to 113 bits, from Boost and from formulas other than the library's.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <limits>
#include <string>
#include <vector>

namespace accuracy {

using quad = boost::multiprecision::cpp_bin_float_quad;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where points are sampled, ends included.
struct range {
  double low, high;
};

/// A function of one operand. Its derivative is measured in `slopes`, without the gaps around its own
/// zeros, where no digits can be promised.
struct unary {
  std::string name;
  quad (*value)(quad);
  quad (*slope)(quad);
  range values{-infinity, infinity}, slopes{-infinity, infinity};
  range absolute{infinity, -infinity};
};

/// A function of two operands, with both partial derivatives; where those are measured may
/// be less than where values are.
struct binary {
  std::string name;
  quad (*value)(quad, quad);
  quad (*slope_a)(quad, quad);
  quad (*slope_b)(quad, quad);
  range a, b, slopes_a = a, slopes_b = b;
};

void add_elementary(std::vector<unary>&);
void add_elementary(std::vector<binary>&);
void add_special(std::vector<unary>&);
void add_special(std::vector<binary>&);

}  // namespace accuracy
