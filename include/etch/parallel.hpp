// etch for several cores: `parallel`, which needs -fopenmp or oneTBB to run on more than one. A part of etch.hpp.
#pragma once

#include <etch/base/forbid_heap.hpp>

#include <etch/compile/parallel.hpp>
