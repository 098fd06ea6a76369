// One pass over memory: a polynomial for the arc tangent, and the gradient stored on the way.
#include "problem.hpp"

#include "../by_hand.hpp"

namespace sum_atan2_problem {

namespace {

using bench::floats;
typedef std::int32_t integers __attribute__((vector_size(64)));

floats chosen(integers c, floats a, floats b) { return c ? a : b; }

/// The angle of the point (2, x), x finite.
floats angle(floats x) {
  integers const sign = reinterpret_cast<integers>(x) & std::int32_t(0x80000000);
  floats const size = 0.5f * reinterpret_cast<floats>(reinterpret_cast<integers>(x) ^ sign);
  integers const steep = size > 1;
  floats const one = size - size + 1, t = chosen(steep, one, size) / chosen(steep, size, one), z = t * t, z2 = z * z,
               z4 = z2 * z2;
  floats const low = (-0.3333330187f + 0.1999863867f * z) + (-0.1426524595f + 0.1095757905f * z) * z2,
               high = (-0.0841946723f + 0.0582346853f * z) + (-0.0314558325f + 0.0110645094f * z) * z2 -
                      0.0018272279f * z4;
  floats const y = t + t * z * (low + z4 * high);
  return reinterpret_cast<floats>(reinterpret_cast<integers>(chosen(steep, 1.57079632679f - y, y)) | sign);
}

}  // namespace

rival const here{"hand", [](data const& d, gradient& g) -> double {
                   floats sum[2]{};
                   for (int i = 0; i < count; i += 32)
                     for (int u = 0; u < 2; ++u) {
                       auto const x = bench::load<floats>(d.x.data() + i + 16 * u);
                       sum[u] += angle(x);
                       bench::store(g.x.data() + i + 16 * u, 2 / (4 + x * x));
                     }
                   return bench::sum_of(sum[0] + sum[1]);
                 }};

}  // namespace sum_atan2_problem
