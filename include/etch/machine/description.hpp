// description: what a call of one kernel needs to know, the kernel's signature and the places of its buffers.
#pragma once

#include <etch/graph/content_key.hpp>
#include <etch/machine/signature.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// A kernel's signature, and where its buffers lie: inputs and outputs in order, then the operands
/// and the scratch memory of a product.
template <class Signature>
struct call_description {
  Signature kernel;
  fixed<pass::location, Signature::inputs + Signature::outputs> at{};
  pass::location a{}, b{}, scratch{};
  element a_type{}, b_type{};
  std::int64_t work = 0;  ///< entries computed, times the contracted extent of a product
};

using pass::kernel_size;
template <auto Words>
inline constexpr kernel_size size_of_kernel{content(Words)};

/// The signature of kernel `k`.
template <kernel_size Size, int N>
constexpr auto kernel_signature(pass::scheduled_kernel const& k, accumulation<N> const& accumulate) {
  if constexpr (Size.computes == pass::form::block && Size.results > 1)
    return opaque_signature_of<Size.inputs, Size.results>(k);
  else if constexpr (Size.computes == pass::form::block) return block_signature_of<Size.inputs>(k, accumulate);
  else if constexpr (Size.slides)
    return signature_of<Size.inputs, Size.steps, Size.results, pass::convolution>(k, accumulate);
  else return signature_of<Size.inputs, Size.steps, Size.results>(k, accumulate);
}

/// Describes kernel `k`, compiled for `Set`.
template <kernel_size Size, vectors Set, int N>
constexpr auto describe(pass::scheduled_kernel k, accumulation<N> const& accumulate) {
  if constexpr (Set != machine_vectors) pass::choose_tiles(k, Set);
  auto const kernel = kernel_signature<Size>(k, accumulate);
  call_description<std::remove_const_t<decltype(kernel)>> d{kernel};
  for (std::size_t i = 0; i < kernel.inputs; ++i) d.at[i] = k.inputs[i].at;
  for (std::size_t i = 0; i < kernel.outputs; ++i) d.at[kernel.inputs + i] = k.results[i].at;
  d.work = k.space.size();
  if (k.computes == pass::form::product) {
    d.work *= k.sliding.exists ? k.sliding.terms() : k.product.k;
    d.a = k.a.at;
    d.b = k.b.at;
    d.a_type = k.a.type;
    d.b_type = k.b.type;
    if (k.product.transposed) std::swap(d.a, d.b);
    d.scratch = {pass::location::place::workspace, 0, k.scratch};
  }
  return d;
}
/// The description of the kernel in `Words`, compiled for `Set`.
template <auto Words, auto Accumulated, vectors Set = machine_vectors>
inline constexpr auto description =
    describe<size_of_kernel<Words>, Set>(pass::unpack_kernel(content(Words)), Accumulated);

}  // namespace run
ETCH_NAMESPACE_END
