// in_lanes: whether a program's points run in the lanes of registers.
#pragma once

#include <etch/etch.hpp>

/// Whether all loops over points of `Program` do, on a machine that has registers.
template <class Program>
inline constexpr bool is_in_lanes =
    etch::register_bytes == 0 ||
    (Program::facts.point_loops > 0 && Program::facts.point_loops_in_lanes == Program::facts.point_loops);
