// etch for compiled programs alone: what `compile`, `value_and_grad` and the transformations need. `etch.hpp` adds the
// tape, layers, optimisers, manifolds, sparse derivatives and views.
#pragma once

#include <etch/base/forbid_heap.hpp>

#include <etch/base/namespace.hpp>
#include <etch/core/view_as.hpp>
#include <etch/compile/wrt_members.hpp>
#include <etch/transform/checkpoint.hpp>
#include <etch/transform/control.hpp>
#include <etch/transform/argmin.hpp>
#include <etch/transform/custom.hpp>
#include <etch/transform/derivative.hpp>
#include <etch/transform/implicit.hpp>
#include <etch/transform/jacobian_map.hpp>
#include <etch/transform/jvp.hpp>
#include <etch/transform/kernel.hpp>
#include <etch/transform/loop_bytes.hpp>
#include <etch/transform/map.hpp>
#include <etch/transform/scan.hpp>
#include <etch/transform/vmap.hpp>
