// program: a compiled loss. It owns its workspace and its gradients; a call computes the value and all
// gradients, and allocates nothing.
#pragma once

#include <etch/base/mistake.hpp>
#include <etch/compile/program_error.hpp>
#include <etch/compile/check.hpp>
#include <etch/compile/destination.hpp>
#include <etch/compile/leaf_text.hpp>
#include <etch/compile/object.hpp>
#include <etch/compile/mistaken_call.hpp>
#include <etch/compile/storage.hpp>

ETCH_NAMESPACE_BEGIN

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
  else
    return []<int... Axis>(std::integer_sequence<int, Axis...>) {
      return std::type_identity<tensor<T, S.dimension(Axis)...>>{};
    }(std::make_integer_sequence<int, S.rank>{});
}

/// The number of gradients of arguments of these types that a program writes: one for each leaf of floating type.
template <class... A>
consteval int gradient_count() {
  return (floating_leaf_count<typename argument<A>::gradient>() + ... + 0);
}

/// The types in which outputs 1 ... Count of a program are handed out: what its loss returns behind its value.
template <class Executable, int Count>
consteval auto further_results() {
  return []<int... K>(std::integer_sequence<int, K...>) {
    constexpr graph_view g = Executable::graph.view();
    return std::type_identity<std::tuple<
        typename decltype(result_type<scalar_of<g[g.outputs[1 + K]].type>, g[g.outputs[1 + K]].extent>())::type...>>{};
  }(std::make_integer_sequence<int, Count>{});
}

/// The loss that stands for `F` in a program: itself, unless it is a function of functions whose results are structures
/// (`transform/plain_call.hpp`).
template <class F, class... A>
struct loss_of {
  using type = F;
};

/// `Executable` with results of types `R`, of several leaves each.
template <class Executable, class... R>
struct with_results : Executable {
  using results = std::tuple<R...>;
};
template <class R>
inline constexpr bool is_one_leaf = scalar<R>;
template <scalar T, int... Dims>
inline constexpr bool is_one_leaf<tensor<T, Dims...>> = true;

/// The program of `Executable` with the results that its loss says it has; `Executable` itself where these are what its
/// outputs are.
template <class Executable, class Loss>
consteval auto handing_out() {
  if constexpr (!requires { typename Loss::values; }) return std::type_identity<Executable>{};
  else
    return []<class... R>(std::type_identity<std::tuple<R...>>) {
      if constexpr ((is_one_leaf<R> && ...)) return std::type_identity<Executable>{};
      else return std::type_identity<with_results<Executable, R...>>{};
    }(std::type_identity<std::conditional_t<is_tuple<typename Loss::values>, typename Loss::values,
                                            std::tuple<typename Loss::values>>>{});
}

/// The results of a program of so many gradients: the type of each, in a tuple. `IsScalar` says that the first is a
/// number, whatever its rank.
template <class Executable, int Gradients, bool IsScalar>
consteval auto results_in() {
  if constexpr (requires { typename Executable::results; }) return std::type_identity<typename Executable::results>{};
  else {
    constexpr graph_view g = Executable::graph.view();
    constexpr node first = g[g.outputs[0]];
    using value = typename decltype(result_type<scalar_of<first.type>, IsScalar ? shape{} : first.extent>())::type;
    using further =
        typename decltype(further_results<Executable, static_cast<int>(g.outputs.size()) - 1 - Gradients>())::type;
    return std::type_identity<decltype(std::tuple_cat(std::declval<std::tuple<value>>(), std::declval<further>()))>{};
  }
}
template <class Results>
struct all_but_first;
template <class First, class... R>
struct all_but_first<std::tuple<First, R...>> {
  using type = std::tuple<R...>;
};

/// A gradient as a member of a program, zero to begin with. g++ 12 forgets in constant evaluation that
/// value-initialisation zeroes the numbers of structs in an array or a tuple, so that a `constinit` program would
/// be none; there they are set one by one.
template <class Gradient>
struct zeroed {
  Gradient value{};
  constexpr zeroed() {
    if (__builtin_is_constant_evaluated())
      argument<Gradient>::visit(value, []<class T>(T* entries, std::size_t n) {
        if (n == 1) *entries = T{};
      });
  }
};
template <class Gradient>
[[gnu::always_inline]] constexpr Gradient& target_of(Gradient& g) {
  return g;
}
template <class Gradient>
[[gnu::always_inline]] constexpr Gradient& target_of(zeroed<Gradient>& g) {
  return g.value;
}

/// Writes the gradient `from` to `to`, or adds it to what is there.
template <bool Accumulate, class Gradient>
void move_gradient(Gradient& to, Gradient const& from) {
  etch::run::ranges<pass::program_leaf_count<Gradient>()> source;
  std::size_t next = 0;
  etch::run::append_leaves<Gradient>(source, next, from);
  next = 0;
  argument<Gradient>::visit(to, column_visitor{[&]<class T>(T* data, std::size_t n) {
                              T const* const value = reinterpret_cast<T const*>(source[next++].first);
                              for (std::size_t i = 0; i < n; ++i)
                                data[i] = static_cast<T>(Accumulate ? data[i] + value[i] : value[i]);
                            }});
}

template <class A>
inline constexpr bool is_mapped_eigen = false;
template <class P, int Options, class Stride>
inline constexpr bool is_mapped_eigen<Eigen::Map<P, Options, Stride>> = true;

}  // namespace detail

/// A compiled program. `Executable` is the content of its graph, `Wrt` the differentiated positions, `A` the types of
/// the arguments: two losses of the same structure give the same type. (The objects that `compile` returns are derived
/// from it, and name their loss.)
template <class Executable, class Wrt, class... A>
class program;

template <class Executable, int... I, class... A>
class program<Executable, wrt<I...>, A...> : detail::mistaken_call<wrt<I...>, A...> {
  static constexpr graph_view graph = Executable::graph.view();
  template <int J>
  using argument_type = std::tuple_element_t<J, std::tuple<A...>>;

 public:
  using executable = Executable;
  /// The results of the loss, in a tuple: numbers, tensors for results of rank 1 or more, and structures of them where
  /// it is a transformation that returns some.
  using results_type = typename decltype(detail::results_in<Executable, detail::gradient_count<argument_type<I>...>(),
                                                            (sizeof...(I) != 0)>())::type;
  using value_type = std::tuple_element_t<0, results_type>;
  using returned_type = std::conditional_t<scalar<value_type>, value_type, value_type const&>;
  template <int J>
  using gradient_type = typename detail::gradient_at<J, A...>::type;

  using detail::mistaken_call<wrt<I...>, A...>::operator();
  using detail::mistaken_call<wrt<I...>, A...>::grad;

  /// How many results the loss returns besides its value.
  static constexpr int further_count = static_cast<int>(std::tuple_size_v<results_type>) - 1;

  static constexpr program_facts facts = pass::facts_of_program<Executable>(sizeof(program));

  /// Value and gradients at `arguments`; the gradients are then found by `grad`.
  [[gnu::always_inline]] inline returned_type operator()(A const&... arguments) {
    return call<detail::no_parts>(arguments...);
  }
  /// Runs the program with the gradients written to (or added to) the caller's storage. That
  /// storage may overlap the arguments.
  template <bool Accumulate, class Ready, class... Gradient>
  [[gnu::always_inline]] inline returned_type operator()(A const&... arguments,
                                                         detail::destination<Accumulate, Ready, Gradient...> to) {
    return call<detail::no_parts>(arguments..., to);
  }

  /// The gradient with respect to the argument at position `J`, as of the last call without a destination.
  template <int J>
    requires((J == I) || ...)
  gradient_type<J> const& grad() const {
    return std::get<index_of(J)>(gradients_).value;
  }
  returned_type value() const { return value_; }
  /// The result that the loss returned at position `K` of its tuple in the last call; at position 0 is the value.
  template <int K>
  auto const& result() const {
    if constexpr (K == 0) return value_;
    else if constexpr (K > 0 && K <= further_count) return std::get<K - 1>(further_).value;
    else return detail::no_gradient<value_type, decltype(error::loss_has_no_such_result<K, 1 + further_count>())>;
  }
  /// Whether the decompositions of the last call succeeded; where one failed, what depends on it is NaN. With
  /// `check_finite` also whether all numbers are finite.
  etch::status status() const { return status_; }

 protected:
  /// A call of which sentences do not count the first arguments, which are `Parts` of later ones.
  template <class Parts>
  [[gnu::always_inline]] inline returned_type call(A const&... arguments) {
    detail::nobody nobody;
    run<false>(gradients_, nobody, name_of_leaf<Parts>(), arguments...);
    return value_;
  }
  template <class Parts, bool Accumulate, class Ready, class... Gradient>
  [[gnu::always_inline]] inline returned_type call(A const&... arguments,
                                                   detail::destination<Accumulate, Ready, Gradient...> to) {
    using wanted = std::tuple<gradient_type<I>...>;
    if constexpr (std::is_same_v<std::tuple<Gradient...>, wanted>)
      run<Accumulate>(to.targets, to.ready, name_of_leaf<Parts>(), arguments...);
    else error::destinations_do_not_fit<std::tuple<Gradient...>, wanted>();
    return value_;
  }

 private:
  template <class Parts>
  static constexpr etch::run::leaf_namer name_of_leaf() {
    if constexpr (Executable::names_leaves) return detail::leaf_text<Parts, A...>;
    else return nullptr;
  }

  static constexpr int leaf_total = (pass::program_leaf_count<A>() + ... + 0);
  static constexpr int output_total = static_cast<int>(graph.outputs.size());
  /// The leaves of all results, which stand before those of the gradients.
  static constexpr int result_total = output_total - detail::gradient_count<argument_type<I>...>();
  /// Whether the results hold zeros from construction on: tensors do, Eigen's matrices and structs of the user's need
  /// not.
  static constexpr bool results_are_zeroed = []<class... R>(std::type_identity<std::tuple<R...>>) {
    return (detail::is_one_leaf<R> && ...);
  }(std::type_identity<results_type>{});

  /// Whether a call is a part of what calls it, with the workspace on the stack: what one kernel leaves
  /// there the next one has in registers.
  static constexpr bool is_straight = detail::runs_in_line<Executable> &&
                                      Executable::plan.bytes <= detail::largest_stack_workspace &&
                                      leaf_total * output_total <= 64;

  /// Whether a call is told by its arguments how many entries count.
  static constexpr bool counts = pass::counts(graph);

  // Initialised, so that a program of static storage is a constant: no initialiser runs, no guard is checked. Its size
  // is not taken from `facts`, which cost time that only who asks pays.
  alignas(64) std::byte workspace_[Executable::plan.bytes == 0 || is_straight ? 1 : Executable::plan.bytes]{};
  template <class... R>
  static auto zeroed_each(std::type_identity<std::tuple<R...>>) -> std::tuple<detail::zeroed<R>...>;
  value_type value_{};
  decltype(zeroed_each(std::type_identity<typename detail::all_but_first<results_type>::type>{})) further_{};
  etch::status status_ = etch::status::ok;
  using own_gradients = std::tuple<detail::zeroed<gradient_type<I>>...>;
  own_gradients gradients_{};

  static constexpr std::size_t index_of(int position) {
    std::size_t at = 0;
    static_cast<void>(((I == position || (++at, false)) || ...));
    return at;
  }

  /// The first output that an argument can overlap: numbers are copied before anything is written.
  static constexpr int first_that_overlaps = scalar<value_type> ? 1 : 0;

  using leaf_ranges = etch::run::ranges<leaf_total>;
  using output_ranges = etch::run::ranges<output_total>;

  /// The storage of the value and of all gradients.
  template <class Gradients>
  [[gnu::always_inline]] inline output_ranges outputs_in(Gradients& gradients) {
    output_ranges outputs;
    std::size_t next = 0;
    etch::run::append_results(outputs, next, value_);
    [&]<std::size_t... K>(std::index_sequence<K...>) __attribute__((always_inline)) {
      (etch::run::append_results(outputs, next, std::get<K>(further_).value), ...);
    }(std::make_index_sequence<further_count>{});
    (etch::run::append_gradients(outputs, next, detail::target_of(std::get<index_of(I)>(gradients))), ...);
    return outputs;
  }

  /// How many entries count, as the arguments say; tells results and gradients.
  template <class Gradients>
  [[gnu::always_inline]] inline etch::run::entries_that_count<counts> told([[maybe_unused]] Gradients& gradients,
                                                                           [[maybe_unused]] A const&... arguments) {
    if constexpr (counts) {
      auto const count = etch::run::entries_that_count<true>::template of<A...>(arguments...);
      tell(count, gradients);
      return count;
    } else {
      return {};
    }
  }
  template <class Gradients>
  void tell(auto count, Gradients& gradients) {
    count.tell(value_);
    std::apply([&](auto&... each) { (count.tell(each.value), ...); }, further_);
    (count.tell(detail::target_of(std::get<index_of(I)>(gradients))), ...);
  }

  /// Runs the program with its gradients in `gradients`. Where that storage overlaps an argument, which is read to the
  /// end, the gradients are computed in the program's own storage and then moved. `ready` is told of each.
  template <bool Accumulate, class Gradients, class Ready>
  [[gnu::always_inline]] inline void run(Gradients& gradients, Ready& ready, etch::run::leaf_namer name,
                                         A const&... arguments) {
    if (run_apart<Accumulate>(gradients, ready, name, arguments...)) return;
    if constexpr (std::is_same_v<Gradients, own_gradients>) error::gradient_is_an_argument_of_the_same_call();
    else run_and_move<Accumulate>(gradients, name, arguments...);
    Executable::template tell_all<result_total>(ready);
  }
  /// Does so unless that storage overlaps an argument. Returns whether it does not.
  template <bool Accumulate, class Gradients, class Ready>
  [[gnu::always_inline]] inline bool run_apart(Gradients& gradients, Ready& ready, etch::run::leaf_namer name,
                                               etch::run::held<A>... arguments) {
    leaf_ranges leaves;
    [[maybe_unused]] std::size_t next = 0;
    (etch::run::append_leaves<A>(leaves, next, arguments), ...);
    [[maybe_unused]] etch::run::entries_that_count<counts> const count = told(gradients, arguments...);
    output_ranges const outputs = outputs_in(gradients);
    if constexpr (!std::is_same_v<Gradients, own_gradients>)
      if (etch::run::any_overlap<is_straight, output_total>(outputs)) error::gradient_targets_overlap();
    if (etch::run::any_overlap<is_straight, first_that_overlaps, output_total, leaf_total>(outputs, leaves))
      return false;
    if constexpr (is_straight) execute_in_line<Accumulate>(leaves, outputs, ready, name, count);
    else execute<Accumulate>(leaves, outputs, ready, name, count);
    return true;
  }

  template <bool Accumulate, class Gradients>
  [[gnu::cold, gnu::noinline]] void run_and_move(Gradients gradients, etch::run::leaf_namer name,
                                                 A const&... arguments) {
    detail::nobody nobody;
    if (!run_apart<false>(gradients_, nobody, name, arguments...)) error::gradient_is_an_argument_of_the_same_call();
    told(gradients, arguments...);
    static_cast<void>(std::initializer_list<int>{
        (detail::move_gradient<Accumulate>(std::get<index_of(I)>(gradients), std::get<index_of(I)>(gradients_).value),
         0)...});
  }

  template <bool Accumulate, class Ready>
  [[gnu::noinline]] void execute(leaf_ranges const& leaves, output_ranges const& outputs, Ready& ready,
                                 etch::run::leaf_namer name, etch::run::entries_that_count<counts> count) {
    execute_in_line<Accumulate>(leaves, outputs, ready, name, count);
  }
  template <bool Accumulate, class Ready>
  [[gnu::always_inline]] inline void execute_in_line(
      leaf_ranges const& leaves, output_ranges const& outputs, [[maybe_unused]] Ready& ready,
      etch::run::leaf_namer name, [[maybe_unused]] etch::run::entries_that_count<counts> const& count) {
    std::byte const* memory[(leaf_total == 0 ? 1 : leaf_total) + counts];
    std::byte const** const arguments = memory + counts;
    if constexpr (counts) memory[0] = count.where();
    std::byte* results[output_total];
    if constexpr (is_straight) {
      etch::run::unrolled<leaf_total>([&](auto i) __attribute__((always_inline)) { arguments[i] = leaves[i].first; });
      etch::run::unrolled<output_total>(
          [&](auto i) __attribute__((always_inline)) { results[i] = const_cast<std::byte*>(outputs[i].first); });
      alignas(64) std::byte workspace[Executable::plan.bytes == 0 ? 1 : Executable::plan.bytes];
      if constexpr (std::is_same_v<Ready, detail::nobody>)
        status_ = Executable::template run_in_line<Accumulate, result_total, results_are_zeroed>(arguments, results,
                                                                                                 workspace, name);
      else
        status_ = Executable::template run_telling<Accumulate, result_total, results_are_zeroed>(
            arguments, results, workspace, name, ready);
    } else {
      for (std::size_t i = 0; i < leaves.size(); ++i) arguments[i] = leaves[i].first;
      for (std::size_t i = 0; i < outputs.size(); ++i) results[i] = const_cast<std::byte*>(outputs[i].first);
      if constexpr (std::is_same_v<Ready, detail::nobody>)
        status_ = Executable::template run<Accumulate, result_total, results_are_zeroed>(arguments, results, workspace_,
                                                                                         name);
      else
        status_ = Executable::template run_telling<Accumulate, result_total, results_are_zeroed>(
            arguments, results, workspace_, name, ready);
    }
  }
};

/// Compiles loss `f` for arguments of these types; their values are not read. Options: `wrt<...>` (default: position
/// 0), `allow_unused`, `precise`, `budget<bytes>`, `check_finite`; with `in_static_storage` a reference is returned.
/// Large programs do not fit a stack: make them static. Docs: memory.md.
template <class Wrt = wrt<0>, class... Options, class F, class... A>
[[gnu::always_inline]] constexpr decltype(auto) compile(F, [[maybe_unused]] A const&... arguments) {
  using settings = detail::settings<Options...>;
  // These checks are not left to functions: the fewer calls between a mistake and the
  // user's line, the better it is seen.
  if constexpr ((detail::holds_traced<A>() || ...)) {
    error::traced_value_is_differentiated<A...>();
    detail::note_mistake_in(arguments...);
    return detail::no_program<>{};
  } else {
    using looked_into [[maybe_unused]] = std::index_sequence<sizeof(argument<A>)...>;
    using loss = typename detail::loss_of<F, A...>::type;
    using verdict = decltype(detail::find_mistake<loss, Wrt, settings, A...>());
    if constexpr (std::is_same_v<verdict, detail::no_mistake>) {
      using executable =
          typename decltype(detail::handing_out<typename detail::pipeline<loss, Wrt, settings, A...>::executable,
                                                loss>())::type;
      return detail::make_program<program<executable, Wrt, A...>, settings, F, loss, Wrt, A...>();
    } else {
      if constexpr (std::is_same_v<verdict, detail::not_traceable>) {
        [[maybe_unused]] constexpr int
            the_loss_uses_only_arguments_constants_and_constexpr_functions_within_fconstexpr_steps =
                detail::traced_size<loss, A...>()[0];
      }
      return detail::no_program<A...>{};
    }
  }
}
template <int First, int... I, class F, class... A>
constexpr auto compile(F, A const&...) {
  error::positions_are_no_wrt<First, I...>();
  return detail::no_program<A...>{};
}

/// Whether two compiled programs are one and the same, hence one symbol in the binary: whether they are objects of one
/// `program`, whatever the losses are called.
template <class A, class B>
inline constexpr bool same_program =
    std::is_same_v<detail::plain_program<std::remove_cvref_t<A>>, detail::plain_program<std::remove_cvref_t<B>>>;

ETCH_NAMESPACE_END
