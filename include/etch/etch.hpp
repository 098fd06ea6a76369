// etch: losses written as lambdas, compiled to static forward and backward code. The layers, in reading order.
#pragma once

#include <etch/core/forbid_heap.hpp>

#include <etch/core/version.hpp>
#include <etch/core/error.hpp>
#include <etch/core/mistake.hpp>
#include <etch/core/sequence.hpp>
#include <etch/core/element.hpp>
#include <etch/core/shape.hpp>
#include <etch/core/block.hpp>
#include <etch/core/graph.hpp>
#include <etch/core/packed_graph.hpp>
#include <etch/core/term.hpp>
#include <etch/core/dialect.hpp>
#include <etch/core/expr.hpp>
#include <etch/core/math.hpp>
#include <etch/core/tensor.hpp>
#include <etch/core/symbol.hpp>
#include <etch/core/members.hpp>
#include <etch/core/argument.hpp>
#include <etch/core/eigen.hpp>
#include <etch/core/record.hpp>

#include <etch/op/ops.hpp>
#include <etch/op/leaf.hpp>
#include <etch/op/apply.hpp>
#include <etch/op/arithmetic.hpp>
#include <etch/op/assemble.hpp>
#include <etch/op/compare.hpp>
#include <etch/op/constants.hpp>
#include <etch/op/slice.hpp>
#include <etch/op/reshape.hpp>
#include <etch/op/concat.hpp>
#include <etch/op/elementwise.hpp>
#include <etch/op/reduce.hpp>
#include <etch/op/product.hpp>
#include <etch/op/prod.hpp>
#include <etch/op/triangle.hpp>
#include <etch/op/cumulate.hpp>
#include <etch/op/index.hpp>
#include <etch/op/factor.hpp>
#include <etch/op/linear.hpp>
#include <etch/op/softmax.hpp>
#include <etch/op/dialect_parts.hpp>
#include <etch/op/dialect_vectorwise.hpp>
#include <etch/op/dialect.hpp>
#include <etch/op/table.hpp>

#include <etch/pass/trace.hpp>
#include <etch/pass/verify.hpp>
#include <etch/pass/replay.hpp>
#include <etch/pass/simplify.hpp>
#include <etch/pass/differentiate.hpp>
#include <etch/pass/expand.hpp>
#include <etch/pass/prune.hpp>
#include <etch/pass/place.hpp>
#include <etch/pass/assemble.hpp>
#include <etch/pass/materialise.hpp>
#include <etch/pass/kernel.hpp>
#include <etch/pass/value.hpp>
#include <etch/pass/group.hpp>
#include <etch/pass/fuse.hpp>
#include <etch/pass/contraction.hpp>
#include <etch/pass/plan.hpp>
#include <etch/pass/packed_kernel.hpp>
#include <etch/pass/schedule.hpp>

#include <etch/run/lanes.hpp>
#include <etch/run/signature.hpp>
#include <etch/run/body.hpp>
#include <etch/run/loop.hpp>
#include <etch/run/gemm.hpp>
#include <etch/run/call.hpp>
#include <etch/run/executable.hpp>
#include <etch/run/facts.hpp>
#include <etch/run/pipeline.hpp>
#include <etch/run/check.hpp>
#include <etch/run/program.hpp>
#include <etch/run/interpret.hpp>
#include <etch/run/gradient.hpp>

#include <etch/nn/dense.hpp>
#include <etch/nn/loss.hpp>
#include <etch/nn/random.hpp>
#include <etch/nn/init.hpp>

#include <etch/optim/leaves.hpp>
#include <etch/optim/sgd.hpp>
#include <etch/optim/adam.hpp>

#include <etch/view/text.hpp>
