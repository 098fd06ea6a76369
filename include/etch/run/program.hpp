// program: a compiled loss. It owns its workspace and its gradients; a call computes the value and all gradients, and allocates nothing.
#pragma once

#include <etch/core/mistake.hpp>
#include <etch/run/check.hpp>

#include <functional>

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
  returned_type operator()(A const&... arguments) {
    run<false>(gradients_, arguments...);
    return value_;
  }
  /// The same, with the gradients written to (or added to) the caller's storage. That storage may overlap the arguments.
  template <bool Accumulate, class... Gradient>
  returned_type operator()(A const&... arguments, detail::destination<Accumulate, Gradient...> to) {
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

  // Initialised, so that a program of static storage is a constant: no initialiser runs, no guard is checked. Its size is
  // not taken from `facts`, which cost time that only who asks pays.
  alignas(64) std::byte workspace_[Executable::plan.bytes == 0 ? 1 : Executable::plan.bytes]{};
  value_type value_{};
  etch::status status_ = etch::status::ok;
  std::tuple<gradient_type<I>...> gradients_{};

  static constexpr std::size_t index_of(int position) {
    std::size_t at = 0;
    static_cast<void>(((I == position || (++at, false)) || ...));
    return at;
  }

  /// A leaf's storage, as a range of bytes.
  struct range {
    std::byte const* first;
    std::byte const* last;
    bool overlaps(range const& other) const { return std::less<>{}(first, other.last) && std::less<>{}(other.first, last); }
  };
  using leaf_ranges = fixed<range, leaf_total == 0 ? 1 : leaf_total>;
  using output_ranges = fixed<range, output_total>;

  /// Appends the storage of every leaf of `a` to `ranges`, or with `FloatingOnly` of those that have a gradient.
  template <bool FloatingOnly, class Described, class A1>
  static void append(auto& ranges, std::size_t& next, A1& a) {
    argument<Described>::visit(a, [&]<class T>(T* data, std::size_t n) {
      auto const* first = reinterpret_cast<std::byte const*>(data);
      if constexpr (!FloatingOnly || std::is_floating_point_v<T>) ranges[next++] = {first, first + n * sizeof(T)};
    });
  }

  /// The storage of the value and of all gradients.
  template <class Gradients>
  output_ranges outputs_in(Gradients& gradients) {
    output_ranges outputs{};
    std::size_t next = 1;
    std::byte* const value = address_of_value();
    outputs[0] = {value, value + sizeof(value_type)};
    std::apply([&](auto&... each) { (append<true, std::remove_reference_t<decltype(each)>>(outputs, next, each), ...); }, gradients);
    return outputs;
  }

  /// Runs the program with its gradients in `gradients`. Where that storage overlaps an argument, which is read to the end, the gradients
  /// are computed in the program's own storage and then moved.
  template <bool Accumulate, class Gradients>
  void run(Gradients& gradients, A const&... arguments) {
    leaf_ranges leaves{};
    [[maybe_unused]] std::size_t next = 0;
    (append<false, A>(leaves, next, arguments), ...);
    output_ranges const outputs = outputs_in(gradients);
    bool overlap = false;
    for (std::size_t out = 1; out < outputs.size(); ++out) {
      for (range const& leaf : leaves) overlap = overlap || outputs[out].overlaps(leaf);
      if constexpr (!std::is_same_v<Gradients, std::tuple<gradient_type<I>...>> && sizeof...(I) > 1)
        for (std::size_t other = 1; other < out; ++other)
          if (outputs[out].overlaps(outputs[other])) error::gradient_targets_overlap();
    }
    if (!overlap) return execute<Accumulate>(leaves, outputs);
    if constexpr (std::is_same_v<Gradients, std::tuple<gradient_type<I>...>>) {
      error::gradient_is_an_argument_of_the_same_call();
    } else {
      run<false>(gradients_, arguments...);
      static_cast<void>(std::initializer_list<int>{
          (move_to<Accumulate, gradient_type<I>>(std::get<index_of(I)>(gradients), std::get<index_of(I)>(gradients_)), 0)...});
    }
  }

  template <bool Accumulate, class Gradient>
  static void move_to(Gradient& to, Gradient const& from) {
    fixed<range, pass::leaf_count<Gradient>()> source{};
    std::size_t next = 0;
    append<false, Gradient>(source, next, from);
    next = 0;
    argument<Gradient>::visit(to, [&]<class T>(T* data, std::size_t n) {
      T const* const value = reinterpret_cast<T const*>(source[next++].first);
      for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<T>(Accumulate ? data[i] + value[i] : value[i]);
    });
  }

  template <bool Accumulate>
  void execute(leaf_ranges const& leaves, output_ranges const& outputs) {
    std::byte const* arguments[leaf_total == 0 ? 1 : leaf_total];
    std::byte* results[output_total];
    for (std::size_t i = 0; i < leaves.size(); ++i) arguments[i] = leaves[i].first;
    for (std::size_t i = 0; i < outputs.size(); ++i) results[i] = const_cast<std::byte*>(outputs[i].first);
    status_ = Executable::template run<Accumulate>(arguments, results, workspace_);
  }

  std::byte* address_of_value() {
    if constexpr (scalar<value_type>) return reinterpret_cast<std::byte*>(&value_);
    else return reinterpret_cast<std::byte*>(value_.data());
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
