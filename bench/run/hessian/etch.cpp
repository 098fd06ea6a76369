// The energy as a lambda, its Hessian, and products with the Hessian, which is not computed for them.
#include <etch/etch.hpp>

#include "problem.hpp"

namespace helmholtz {

hessian_rival const whole{"etch", [](data const& d, auto& g) {
                            static auto program = etch::compile<etch::wrt<>>(etch::hessian(energy), d.x, d.b, d.a);
                            return many_times(g, [&] { return program(d.x, d.b, d.a).data(); });
                          }};

product_rival const product{"etch", [](data const& d, auto& g) {
                              static auto program = etch::compile<etch::wrt<>>(etch::hvp(energy), d.x, d.b, d.a, d.v);
                              return many_times(g, [&] { return program(d.x, d.b, d.a, d.v).data(); });
                            }};

}  // namespace helmholtz
