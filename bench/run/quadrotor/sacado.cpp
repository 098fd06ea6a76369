// Sacado: forward mode, numbers that carry 16 derivatives.
#include "scalar.hpp"

#define TRILINOS_NO_CONFIG_H  // Debian's configuration wants Kokkos, which forward mode does not need
#include <trilinos/Sacado_No_Kokkos.hpp>

namespace quadrotor {

rival const here{"sacado", [](data const& d, auto& g) {
                   return in_turn(d, g, [](point const& p) -> double const* {
                     using number = Sacado::Fad::SFad<double, columns>;
                     static double jacobian[entries];
                     double at[columns];
                     read(p, at);
                     number v[columns], y[states];
                     for (int j = 0; j < columns; ++j) v[j] = number(columns, j, at[j]);
                     step_of(v, y);
                     for (int j = 0; j < columns; ++j)
                       for (int i = 0; i < states; ++i) jacobian[i + j * states] = y[i].dx(j);
                     return jacobian;
                   });
                 }};

}  // namespace quadrotor
