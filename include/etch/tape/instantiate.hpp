// instantiate: compiles the tape's own code, for the units that include `etch/tape/extern.hpp`. To be
// included in one unit of a program.
#pragma once

#include <etch/tape/extern.hpp>

ETCH_NAMESPACE_BEGIN

template struct out_of_line<detail::row_of_facts>;
template struct out_of_line<detail::row_of_rules>;
template struct out_of_line<pass::at_origin>;
template struct out_of_line<pass::take_adjoints>;
template struct out_of_line<pass::take_derivatives_along>;
template struct out_of_line<pass::take_hessian>;
template struct out_of_line<pass::take_hessian_product>;
template struct out_of_line<pass::take_jacobian>;
template struct out_of_line<pass::take_laplacian>;
template struct dynamic::row_definitions<float, op::list>;
template struct dynamic::row_definitions<double, op::list>;
template dynamic::known_op const* dynamic::find_row<op::list, float>();
template dynamic::known_op const* dynamic::find_row<op::list, double>();
template class dynamic::recorder<float>;
template class dynamic::recorder<double>;

ETCH_NAMESPACE_END
