// A small consumer of an installed etch: a gradient, and its value when the headers say which version they are.
#include <etch/etch.hpp>

#include <cstdio>

int main() {
  auto const [value, slope] = etch::value_and_grad([](auto x) { return x * sin(x); })(2.0);
  std::printf("etch %d.%d.%d: %.6f, slope %.6f\n", etch::version.major, etch::version.minor, etch::version.patch, value,
              slope);
}
