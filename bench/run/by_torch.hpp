// by_torch: what rivals on libtorch share. A tensor [a, b, c], first index fastest, is torch's
// [c, b, a] over the same memory.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <etch/core/leafwise.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace bench {

/// The tensor's memory, as a constant.
template <class T, int... Dims, template <class, int...> class Tensor>
at::Tensor given(Tensor<T, Dims...> const& t) {
  static bool const once = (at::set_num_threads(1), true);
  static_cast<void>(once);
  std::vector<std::int64_t> dims{Dims...};
  std::reverse(dims.begin(), dims.end());
  return at::from_blob(const_cast<T*>(t.data()), dims, at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value));
}

inline at::Tensor given(double x) { return at::scalar_tensor(x, at::kDouble); }

/// The same, with a gradient.
at::Tensor parameter(auto const& t) { return given(t).set_requires_grad(true); }

/// The value; the gradients are copied to where they belong, leaf by leaf of `to`.
template <class... Gradient>
double differentiate(at::Tensor const& value, std::vector<at::Tensor> const& by, Gradient&... to) {
  auto const gradients = torch::autograd::grad({value}, by);
  std::size_t next = 0;
  auto const put = [&](auto& target) {
    at::Tensor const g = gradients[next++].contiguous();
    if constexpr (requires { target.data(); })
      std::memcpy(target.data(), g.data_ptr(), target.size() * sizeof target.data()[0]);
    else target = g.template item<double>();
  };
  (etch::visit_leaves(put, to), ...);
  return value.item<double>();
}

}  // namespace bench
