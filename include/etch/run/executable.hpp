// executable: the straight-line function of a program: one kernel call after the other, every pointer a constant offset.
#pragma once

#include <etch/run/gemm.hpp>
#include <etch/run/loop.hpp>

namespace etch::inline ETCH_ABI::run {

namespace detail {

template <class Program, int K>
constexpr bool is_light() {
  constexpr pass::static_kernel k = Program::schedule.kernels[K];
  return k.space.size() * (k.is_product ? k.product.k : 1) <= 256;
}

// Heavy kernels stay functions of their own: one instantiation and one symbol for each signature.
template <auto Signature>
[[gnu::noinline]] void heavy_loop(std::byte* const* pointers) {
  loop<Signature>::run(pointers);
}
template <auto Signature>
[[gnu::noinline]] void heavy_gemm(std::byte* const* pointers, std::byte const* a, std::byte const* b, std::byte* scratch) {
  gemm<Signature>::run(pointers, a, b, scratch);
}

}  // namespace detail

/// The program of the pruned graph `Graph`: its content is its identity, so equal programs are one type and one symbol.
template <auto Graph>
struct executable {
  static constexpr auto graph = Graph;
  static constexpr auto materialised = freeze([] { return pass::materialise(executable::graph); });
  static constexpr auto schedule = pass::make_schedule<executable>();

  /// Computes all outputs. `arguments` are the leaves, `outputs` the value and then the gradients; with `Accumulate` the gradients are
  /// added to what their storage holds. `workspace` has `schedule.workspace_bytes` bytes at a multiple of 64.
  template <bool Accumulate>
  static void run(std::byte const* const* arguments, std::byte* const* outputs, std::byte* workspace) {
    context const where{arguments, outputs, workspace};
    constexpr int chunk = 64;  // clang folds at most 256 operands at once
    [&]<int... C>(std::integer_sequence<int, C...>) {
      (
          [&] {
            constexpr int first = C * chunk;
            constexpr int count = std::min(chunk, schedule.kernel_count - first);
            [&]<int... K>(std::integer_sequence<int, K...>) { (step<first + K, Accumulate>(where), ...); }
            (std::make_integer_sequence<int, count>{});
          }(),
          ...);
    }
    (std::make_integer_sequence<int, (schedule.kernel_count + chunk - 1) / chunk>{});
  }

 private:
  struct context {
    std::byte const* const* arguments;
    std::byte* const* outputs;
    std::byte* workspace;

    std::byte* find(pass::location const& at) const {
      using place = pass::location::place;
      if (at.in == place::argument) return const_cast<std::byte*>(arguments[at.position]) + at.offset;  // read only
      return (at.in == place::output ? outputs[at.position] : workspace) + at.offset;
    }
  };

  template <int K, bool Accumulate>
  static void step(context const& where) {
    constexpr pass::static_kernel k = schedule.kernels[K];
    constexpr auto signature = signature_of<executable, K, Accumulate>();
    std::byte* pointers[k.inputs + k.results];
    unrolled<k.inputs>([&](auto i) { pointers[i] = where.find(schedule.inputs[k.first_input + i].at); });
    unrolled<k.results>([&](auto i) { pointers[k.inputs + i] = where.find(schedule.results[k.first_result + i].at); });
    if constexpr (k.is_product) {
      if constexpr (detail::is_light<executable, K>())
        gemm<signature>::run(pointers, where.find(k.a), where.find(k.b), where.find(k.scratch));
      else detail::heavy_gemm<signature>(pointers, where.find(k.a), where.find(k.b), where.find(k.scratch));
    } else {
      if constexpr (detail::is_light<executable, K>()) loop<signature>::run(pointers);
      else detail::heavy_loop<signature>(pointers);
    }
  }
};

}  // namespace etch::inline ETCH_ABI::run
