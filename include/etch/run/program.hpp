// program: a compiled loss. It owns its workspace and its gradients; a call computes the value and all gradients, and allocates nothing.
#pragma once

#include <etch/core/mistake.hpp>
#include <etch/run/check.hpp>
#include <etch/run/storage.hpp>

namespace etch::inline ETCH_ABI {

namespace detail {
template <bool Accumulate, class... Gradient>
struct destination {
  std::tuple<Gradient&...> targets;
};
}  // namespace detail

/// Destination of a call's gradients, one for each position in `wrt`: overwrites them.
template <class... Gradient>
constexpr detail::destination<false, Gradient...> into(Gradient&... targets) {
  return {{targets...}};
}
/// Destination of a call's gradients, one for each position in `wrt`: adds to what they hold.
template <class... Gradient>
constexpr detail::destination<true, Gradient...> add_to(Gradient&... targets) {
  return {{targets...}};
}

namespace detail {

/// Workspaces up to this size may lie on the stack during a call. Small, because the result may lie in the same frame.
inline constexpr std::int64_t largest_stack_workspace = 4 * 1024;
/// Programs of up to so many kernels become part of what calls them.
template <class Executable>
inline constexpr bool runs_in_line = Executable::schedule.kernel_count <= 16;

/// The type in which a result of this shape is handed out: a scalar, or a tensor.
template <scalar T, shape S>
consteval auto result_type() {
  if constexpr (S.rank == 0) return std::type_identity<T>{};
  else return []<int... Axis>(std::integer_sequence<int, Axis...>) {
      return std::type_identity<tensor<T, S[Axis]...>>{};
    }
  (std::make_integer_sequence<int, S.rank>{});
}

template <class A>
inline constexpr bool is_mapped_eigen = false;
template <class P, int Options, class Stride>
inline constexpr bool is_mapped_eigen<Eigen::Map<P, Options, Stride>> = true;

}  // namespace detail

/// A compiled program. `Executable` is the content of its graph, `Wrt` the differentiated positions, `A` the types of the arguments:
/// two losses of the same structure give the same type.
template <class Executable, class Wrt, class... A>
class program;

template <class Executable, int... I, class... A>
class program<Executable, wrt<I...>, A...> {
  static constexpr graph_view graph = Executable::graph.view();
  static constexpr node result = graph[graph.outputs[0]];
  static constexpr shape result_shape = sizeof...(I) != 0 ? shape{} : result.extent;
  template <int J>
  using argument_type = std::tuple_element_t<J, std::tuple<A...>>;

 public:
  using executable = Executable;
  /// A scalar for a loss, a tensor for a result of rank 1 or more.
  using value_type = typename decltype(detail::result_type<scalar_of<result.type>, result_shape>())::type;
  using returned_type = std::conditional_t<scalar<value_type>, value_type, value_type const&>;
  template <int J>
  using gradient_type = typename argument<argument_type<J>>::gradient;

  static constexpr program_facts facts = pass::facts_of_program<Executable>();

  /// Value and gradients at `arguments`; the gradients are then found by `grad`.
  [[gnu::always_inline]] inline returned_type operator()(A const&... arguments) {
    run<false>(gradients_, arguments...);
    return value_;
  }
  /// The same, with the gradients written to (or added to) the caller's storage. That storage may overlap the arguments.
  template <bool Accumulate, class... Gradient>
  [[gnu::always_inline]] inline returned_type operator()(A const&... arguments, detail::destination<Accumulate, Gradient...> to) {
    using wanted = std::tuple<gradient_type<I>...>;
    if constexpr (std::is_same_v<std::tuple<Gradient...>, wanted>) run<Accumulate>(to.targets, arguments...);
    else error::destinations_do_not_fit<std::tuple<Gradient...>, wanted>();
    return value_;
  }

  /// The gradient with respect to the argument at position `J`, as of the last call without a destination.
  template <int J>
  gradient_type<J> const& grad() const {
    if constexpr (((J == I) || ...)) return std::get<index_of(J)>(gradients_);
    else return detail::no_gradient<gradient_type<J>, decltype(error::gradient_was_not_asked_for<J, wrt<I...>>())>;
  }
  returned_type value() const { return value_; }
  /// Whether the decompositions of the last call succeeded; where one failed, what depends on it is NaN.
  etch::status status() const { return status_; }

 private:
  static constexpr int leaf_total = (pass::leaf_count<A>() + ... + 0);
  static constexpr int output_total = static_cast<int>(graph.outputs.size());

  /// Whether a call is a part of what calls it, with the workspace on the stack: what one kernel leaves there the next one has in
  /// registers.
  static constexpr bool is_straight =
      detail::runs_in_line<Executable> && Executable::plan.bytes <= detail::largest_stack_workspace && leaf_total * output_total <= 64;

  // Initialised, so that a program of static storage is a constant: no initialiser runs, no guard is checked. Its size is
  // not taken from `facts`, which cost time that only who asks pays.
  alignas(64) std::byte workspace_[Executable::plan.bytes == 0 || is_straight ? 1 : Executable::plan.bytes]{};
  value_type value_{};
  etch::status status_ = etch::status::ok;
  using own_gradients = std::tuple<gradient_type<I>...>;
  own_gradients gradients_{};

  static constexpr std::size_t index_of(int position) {
    std::size_t at = 0;
    static_cast<void>(((I == position || (++at, false)) || ...));
    return at;
  }

  using leaf_ranges = etch::run::ranges<leaf_total>;
  using output_ranges = etch::run::ranges<output_total>;

  /// The storage of the value and of all gradients.
  template <class Gradients>
  [[gnu::always_inline]] inline output_ranges outputs_in(Gradients& gradients) {
    output_ranges outputs;
    [[maybe_unused]] std::size_t next = 1;
    outputs[0] = {address_of_value(), sizeof(value_type)};
    (etch::run::append_gradients(outputs, next, std::get<index_of(I)>(gradients)), ...);
    return outputs;
  }

  /// Runs the program with its gradients in `gradients`. Where that storage overlaps an argument, which is read to the end, the gradients
  /// are computed in the program's own storage and then moved.
  template <bool Accumulate, class Gradients>
  [[gnu::always_inline]] inline void run(Gradients& gradients, A const&... arguments) {
    if (run_apart<Accumulate>(gradients, arguments...)) return;
    if constexpr (std::is_same_v<Gradients, own_gradients>) error::gradient_is_an_argument_of_the_same_call();
    else run_and_move<Accumulate>(gradients, arguments...);
  }
  /// The same, unless that storage overlaps an argument. Returns whether it does not.
  template <bool Accumulate, class Gradients>
  [[gnu::always_inline]] inline bool run_apart(Gradients& gradients, etch::run::held<A>... arguments) {
    leaf_ranges leaves;
    [[maybe_unused]] std::size_t next = 0;
    (etch::run::append_leaves<A>(leaves, next, arguments), ...);
    output_ranges const outputs = outputs_in(gradients);
    if constexpr (!std::is_same_v<Gradients, own_gradients>)
      if (etch::run::any_overlap<is_straight, output_total>(outputs)) error::gradient_targets_overlap();
    if (etch::run::any_overlap<is_straight, output_total, leaf_total>(outputs, leaves)) return false;
    if constexpr (is_straight) execute_in_line<Accumulate>(leaves, outputs);
    else execute<Accumulate>(leaves, outputs);
    return true;
  }

  template <bool Accumulate, class Gradients>
  [[gnu::cold, gnu::noinline]] void run_and_move(Gradients gradients, A const&... arguments) {
    run_apart<false>(gradients_, arguments...);
    static_cast<void>(std::initializer_list<int>{
        (move_to<Accumulate, gradient_type<I>>(std::get<index_of(I)>(gradients), std::get<index_of(I)>(gradients_)), 0)...});
  }

  template <bool Accumulate, class Gradient>
  static void move_to(Gradient& to, Gradient const& from) {
    etch::run::ranges<pass::leaf_count<Gradient>()> source;
    std::size_t next = 0;
    etch::run::append_leaves<Gradient>(source, next, from);
    next = 0;
    argument<Gradient>::visit(to, [&]<class T>(T* data, std::size_t n) {
      T const* const value = reinterpret_cast<T const*>(source[next++].first);
      for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<T>(Accumulate ? data[i] + value[i] : value[i]);
    });
  }

  template <bool Accumulate>
  [[gnu::noinline]] void execute(leaf_ranges const& leaves, output_ranges const& outputs) {
    execute_in_line<Accumulate>(leaves, outputs);
  }
  template <bool Accumulate>
  [[gnu::always_inline]] inline void execute_in_line(leaf_ranges const& leaves, output_ranges const& outputs) {
    std::byte const* arguments[leaf_total == 0 ? 1 : leaf_total];
    std::byte* results[output_total];
    if constexpr (is_straight) {
      etch::run::unrolled<leaf_total>([&](auto i) __attribute__((always_inline)) { arguments[i] = leaves[i].first; });
      etch::run::unrolled<output_total>([&](auto i)
                                            __attribute__((always_inline)) { results[i] = const_cast<std::byte*>(outputs[i].first); });
      alignas(64) std::byte workspace[Executable::plan.bytes == 0 ? 1 : Executable::plan.bytes];
      status_ = Executable::template run_in_line<Accumulate>(arguments, results, workspace);
    } else {
      for (std::size_t i = 0; i < leaves.size(); ++i) arguments[i] = leaves[i].first;
      for (std::size_t i = 0; i < outputs.size(); ++i) results[i] = const_cast<std::byte*>(outputs[i].first);
      status_ = Executable::template run<Accumulate>(arguments, results, workspace_);
    }
  }

  std::byte* address_of_value() {
    if constexpr (scalar<value_type>) return reinterpret_cast<std::byte*>(&value_);
    else return reinterpret_cast<std::byte*>(etch::run::of_unknown_origin(value_.data(), value_.size()));
  }
};

/// Compiles loss `f` for arguments of these types; their values are not read. Options: `wrt<...>` (default: position 0), `allow_unused`,
/// `precise`, `budget<bytes>`.
template <class Wrt = wrt<0>, class... Options, class F, class... A>
constexpr auto compile(F, A const&...) {
  using settings = detail::settings<Options...>;
  // What is looked for here is not left to functions: the fewer calls between a mistake and the user's line, the better it is seen.
  using looked_into [[maybe_unused]] = std::index_sequence<sizeof(argument<A>)...>;
  using verdict = decltype(detail::find_mistake<F, Wrt, settings, A...>());
  if constexpr (std::is_same_v<verdict, detail::no_mistake>) {
    return program<typename detail::pipeline<F, Wrt, settings, A...>::executable, Wrt, A...>{};
  } else {
    if constexpr (std::is_same_v<verdict, detail::not_traceable>) {
      [[maybe_unused]] constexpr int the_loss_is_constant_within_fconstexpr_steps = detail::traced_nodes<F, A...>();
    }
    return detail::no_program<A...>{};
  }
}

/// Whether two compiled programs are one and the same type, hence one symbol in the binary.
template <class A, class B>
inline constexpr bool same_program = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

}  // namespace etch::inline ETCH_ABI
