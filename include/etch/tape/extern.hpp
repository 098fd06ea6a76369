// extern: leaves the tape's own code, the kernels and rules of all ops, to another unit of the program,
// which includes `etch/tape/instantiate.hpp`. To be included where `etch/etch.hpp` or
// `etch/tape/tape.hpp` is, in as many units as one likes.
#pragma once

#include <etch/tape/tape.hpp>
#include <etch/rewrite/at_origin.hpp>
#include <etch/rewrite/jacobian.hpp>

ETCH_NAMESPACE_BEGIN

template <class T>
struct dynamic::rows_are_elsewhere {};
extern template struct out_of_line<detail::row_of_facts>;
extern template struct out_of_line<detail::row_of_rules>;
extern template struct out_of_line<pass::at_origin>;
extern template struct out_of_line<pass::take_adjoints>;
extern template struct out_of_line<pass::take_derivatives_along>;
extern template struct out_of_line<pass::take_hessian>;
extern template struct out_of_line<pass::take_hessian_product>;
extern template struct out_of_line<pass::take_jacobian>;
extern template struct out_of_line<pass::take_laplacian>;
extern template class dynamic::recorder<float>;
extern template class dynamic::recorder<double>;

ETCH_NAMESPACE_END
