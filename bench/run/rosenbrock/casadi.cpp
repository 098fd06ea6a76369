// CasADi: the C that it generates for the Hessian, made dense, compiled as this is.
#include "problem.hpp"

extern "C" {
int casadi_rosenbrock_10(double const** arguments, double** results, long long* integers, double* work, int memory);
int casadi_rosenbrock_100(double const** arguments, double** results, long long* integers, double* work, int memory);
}

namespace {

template <class P>
bench::rival<P> rival() {
  return {"casadi", [](typename P::inputs const& in, auto& g) {
            static double entries[P::variables * P::variables];
            return bench::many_times(P::calls, g, [&] {
              double const* arguments[] = {in.data()};
              double* results[] = {entries};
              if constexpr (P::variables == 10) casadi_rosenbrock_10(arguments, results, nullptr, nullptr, 0);
              else casadi_rosenbrock_100(arguments, results, nullptr, nullptr, 0);
              return static_cast<double const*>(entries);
            });
          }};
}
auto const of_ten = rival<rosenbrock<10>>();
auto const of_hundred = rival<rosenbrock<100>>();

}  // namespace
