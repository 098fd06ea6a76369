// step.cpp: the only unit that compiles the program.
#include "step.hpp"

#include <etch/static.hpp>
#include <etch/nn/dense.hpp>
#include <etch/nn/loss.hpp>

namespace {

using model_type = etch::nn::dense<float, 2, 1>;
using points = etch::tensor<float, 2, batch>;
using values = etch::tensor<float, 1, batch>;
static_assert(sizeof(model_type) == model_floats * sizeof(float));

constexpr auto loss = [](auto model, auto x, auto y) { return etch::nn::mse(model(x), y); };
thread_local constinit auto program = etch::compile<etch::wrt<0>>(loss, model_type{}, points{}, values{});

}  // namespace

float step(float const* model, float const* x, float const* y, float* gradient) {
  return program(etch::view_as<model_type>(model), etch::view_as<points>(x), etch::view_as<values>(y),
                 etch::into(etch::view_as<model_type>(gradient)));
}
float const* slope(float const* model) { return etch::view_as<model_type>(model).weight.data(); }
