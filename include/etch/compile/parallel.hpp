// parallel: a program that several workers share, each with its block of a batch, and its sums added in a fixed order.
#pragma once

#include <etch/compile/shared_outputs.hpp>
#include <etch/compile/workers.hpp>

#include <cstring>

ETCH_NAMESPACE_BEGIN

/// Constants of a program that workers share. Numbers of bytes and of operations are those of all workers together,
/// the other ones those of a worker.
struct parallel_facts : program_facts {
  int workers = 1;
  int entries = 0;                 ///< of the batch at most, of which each worker has its part
  std::int64_t summand_bytes = 0;  ///< of what workers but the first keep until it is added up, in all
};

namespace detail {

/// The size of an array of so many bytes, which is not 0.
constexpr std::size_t size_of_room(std::int64_t bytes) { return static_cast<std::size_t>(bytes == 0 ? 1 : bytes); }

template <class Workers, class Of, class Wrt, class Plain, class... A>
class parallel_program;

template <class Workers, class Of, int... I, class Plain, class... A>
class parallel_program<Workers, Of, wrt<I...>, Plain, A...> : mistaken_call<wrt<I...>, A...> {
  static constexpr int workers = Of::workers;
  template <int Part>
  using executable_for = typename Of::template compiled_for<Part>::pipeline::executable;
  using larger = executable_for<Of::larger>;
  using smaller = executable_for<Of::smaller>;
  using places = output_places<Of, larger, wrt<I...>, A...>;

 public:
  using results_type = typename Plain::results_type;
  using value_type = std::tuple_element_t<0, results_type>;
  using returned_type = std::conditional_t<scalar<value_type>, value_type, value_type const&>;
  template <int J>
  using gradient_type = typename gradient_at<J, A...>::type;
  using executable = larger;

  using mistaken_call<wrt<I...>, A...>::operator();
  using mistaken_call<wrt<I...>, A...>::grad;

  /// How many results the loss returns besides its value.
  static constexpr int further_count = static_cast<int>(std::tuple_size_v<results_type>) - 1;

  static constexpr parallel_facts facts = [] {
    constexpr program_facts most = pass::facts_of_program<larger>(sizeof(parallel_program)),
                            least = pass::facts_of_program<smaller>(sizeof(parallel_program));
    parallel_facts f{most};
    f.workers = workers, f.entries = Of::whole;
    f.summand_bytes = (workers - 1) * places::summand_bytes;
    constexpr int longer = Of::smaller == Of::larger ? workers : Of::whole % workers;
    auto const total = [&](std::int64_t program_facts::* each) {
      f.*each = longer * (most.*each) + (workers - longer) * (least.*each);
    };
    total(&program_facts::workspace_bytes), total(&program_facts::live_lower_bound_bytes);
    total(&program_facts::unplanned_bytes), total(&program_facts::saved_bytes), total(&program_facts::flops);
    if constexpr (Of::counts) {
      f.bound = Of::whole;
      if constexpr (!Of::has_bound) {  // every worker's program is for all points
        std::int64_t const twice = std::int64_t{workers - 1} * Of::whole;
        f.flops -= twice * f.flops_of_each, f.saved_bytes -= twice * f.saved_bytes_of_each;
        f.unplanned_bytes -= twice * f.unplanned_bytes_of_each;
      }
    } else {  // what counts is not split, if there is such a thing: all workers go through it
      f.flops_of_each *= workers, f.saved_bytes_of_each *= workers, f.unplanned_bytes_of_each *= workers;
    }
    return f;
  }();

  /// Value and gradients at `arguments`, computed by all workers; the gradients are then found by `grad`. What a worker
  /// throws arrives here when all are done.
  returned_type operator()(A const&... arguments) {
    run(arguments...);
    return value();
  }
  /// Runs with the gradients moved or added to the caller's storage, which may overlap the arguments. They are told of
  /// when all workers are done.
  template <bool Accumulate, class Ready, class... Gradient>
  returned_type operator()(A const&... arguments, destination<Accumulate, Ready, Gradient...> to) {
    using wanted = std::tuple<gradient_type<I>...>;
    if constexpr (std::is_same_v<std::tuple<Gradient...>, wanted>) {
      [[maybe_unused]] int const entries = run(arguments...);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        if constexpr (counts) (count_of_call{entries}.tell(std::get<K>(to.targets)), ...);
        (move_gradient<Accumulate>(std::get<K>(to.targets), std::get<K>(gradients_).value), ...);
      }(std::index_sequence_for<Gradient...>{});
      larger::template tell_all<places::results>(to.ready);
    } else {
      error::destinations_do_not_fit<std::tuple<Gradient...>, wanted>();
    }
    return value();
  }

  /// The gradient with respect to the argument at position `J`, as of the last call, of which the caller was given
  /// none.
  template <int J>
    requires((J == I) || ...)
  gradient_type<J> const& grad() const {
    return std::get<index_of(J)>(gradients_).value;
  }
  returned_type value() const { return std::get<0>(results_).value; }
  /// The result that the loss returned at position `K` of its tuple in the last call.
  template <int K>
  auto const& result() const {
    if constexpr (K >= 0 && K <= further_count) return std::get<K>(results_).value;
    else return no_gradient<value_type, decltype(error::loss_has_no_such_result<K, 1 + further_count>())>;
  }
  /// The failures that any worker met in the last call.
  etch::status status() const {
    etch::status all = etch::status::ok;
    for (worker_memory const& each : memory_) all |= each.outcome;
    return all;
  }

 private:
  static constexpr bool counts = pass::counts(larger::graph);
  using count_of_call = etch::run::entries_that_count<true>;
  static constexpr int leaf_total = (pass::program_leaf_count<A>() + ... + 0);
  static constexpr int output_total = places::total;
  using leaf_ranges = etch::run::ranges<leaf_total>;
  using output_ranges = etch::run::ranges<output_total>;

  static constexpr std::size_t index_of(int position) {
    std::size_t at = 0;
    static_cast<void>(((I == position || (++at, false)) || ...));
    return at;
  }
  static constexpr std::int64_t workspace_bytes = std::max(larger::plan.bytes, smaller::plan.bytes);

  /// Two lines of the cache, which processors fetch in pairs, are never shared by two workers.
  struct alignas(128) worker_memory {
    alignas(64) std::byte workspace[size_of_room(workspace_bytes)]{};
    alignas(64) std::byte outputs[size_of_room(workers == 1 ? 0 : places::own_bytes)]{};
    etch::status outcome = etch::status::ok;
  };
  template <class... R>
  static auto zeroed_each(std::type_identity<std::tuple<R...>>) -> std::tuple<zeroed<R>...>;

  worker_memory memory_[workers]{};
  decltype(zeroed_each(std::type_identity<results_type>{})) results_{};
  std::tuple<zeroed<gradient_type<I>>...> gradients_{};

  /// Returns how many entries count.
  int run(etch::run::held<A>... arguments) {
    leaf_ranges leaves;
    output_ranges outputs;
    std::size_t next = 0;
    (etch::run::append_leaves<A>(leaves, next, arguments), ...);
    next = 0;
    std::apply([&](auto&... each) { (etch::run::append_results(outputs, next, each.value), ...); }, results_);
    std::apply([&](auto&... each) { (etch::run::append_gradients(outputs, next, each.value), ...); }, gradients_);
    if (etch::run::any_overlap<false, 0, output_total, leaf_total>(outputs, leaves))
      error::gradient_is_an_argument_of_the_same_call();
    int const entries = told(arguments...);
    at_each_worker<Workers, workers>([&](int worker) { compute(worker, entries, leaves, outputs); });
    if constexpr (workers > 1) {
      if constexpr (places::summand_bytes < 32 * 1024) add_up(0, 1, outputs);
      else Workers::template each<workers>([&](int worker) { add_up(worker, workers, outputs); });
    }
    return entries;
  }
  /// How many entries count; tells results and gradients.
  int told([[maybe_unused]] A const&... arguments) {
    if constexpr (!counts) {
      return Of::whole;
    } else {
      auto const count = count_of_call::of<A...>(arguments...);
      auto const tell_all = [&](auto&... each) { (count.tell(each.value), ...); };
      std::apply(tell_all, results_), std::apply(tell_all, gradients_);
      return count.number;
    }
  }

  /// The first byte of the entries from `first` on of output `o`, which is split.
  static std::byte* part_of(std::size_t o, int first, output_ranges const& outputs) {
    return const_cast<std::byte*>(outputs[o].first) + places::value[o].bytes / Of::whole * first;
  }
  /// The first byte of output `o` that a worker writes whose entries begin at `first`.
  std::byte* place_of(int worker, int first, std::size_t o, output_ranges const& outputs) {
    output_place const& at = places::value[o];
    if (at.piece.is_split() && !places::keeps_splits) return part_of(o, first, outputs);
    if (!at.piece.is_split() && worker == 0) return const_cast<std::byte*>(outputs[o].first);
    return memory_[worker].outputs + at.offset;
  }

  void compute(int worker, int entries, leaf_ranges const& leaves, output_ranges const& outputs) {
    std::byte const* memory[(leaf_total == 0 ? 1 : leaf_total) + counts];
    std::byte const** const arguments = memory + counts;
    std::byte* results[output_total];
    // Where it is not the batch that counts, all workers count the same entries.
    int const batch = Of::counts ? entries : Of::whole;
    int const first = Of::first_entry(worker, batch), own = Of::first_entry(worker + 1, batch) - first,
              count[]{Of::counts ? own : entries, entries};
    if constexpr (counts) memory[0] = reinterpret_cast<std::byte const*>(count);
    for (std::size_t i = 0; i < leaf_total; ++i) arguments[i] = leaves[i].first + Of::entry_bytes[i] * first;
    for (std::size_t o = 0; o < output_total; ++o) results[o] = place_of(worker, first, o, outputs);
    if (Of::smaller == Of::larger || own > Of::smaller) execute<larger>(worker, arguments, results);
    else execute<smaller>(worker, arguments, results);
    if constexpr (places::keeps_splits)
      for (std::size_t o = 0; o < output_total; ++o)
        if (places::value[o].piece.is_split())
          std::memcpy(part_of(o, first, outputs), results[o],
                      static_cast<std::size_t>(places::value[o].bytes / Of::whole * own));
  }
  template <class Executable>
  [[gnu::noinline]] void execute(int worker, std::byte const* const* arguments, std::byte* const* results) {
    etch::run::leaf_namer name = nullptr;
    if constexpr (Executable::names_leaves) name = leaf_text<no_parts, A...>;
    worker_memory& memory = memory_[worker];
    memory.outcome = Executable::template run<false, places::results>(arguments, results, memory.workspace, name);
  }

  /// Adds slice `slice` of `slices` of everything that is the sum of what workers have.
  void add_up(int slice, int slices, output_ranges const& outputs) {
    for (std::size_t o = 0; o < output_total; ++o) {
      output_place const& at = places::value[o];
      if (!at.piece.is_partial()) continue;
      std::byte* each[workers];
      for (int worker = 0; worker < workers; ++worker) each[worker] = place_of(worker, 0, o, outputs);
      // Slices end at a multiple of 64 bytes.
      std::int64_t const lines = (at.bytes + 63) / 64, size = at.is_wide ? 8 : 4;
      std::int64_t const first = lines * slice / slices * 64 / size,
                         last = std::min(lines * (slice + 1) / slices * 64, at.bytes) / size;
      if (at.is_wide) add_in_pairs<double>(each, first, last);
      else add_in_pairs<float>(each, first, last);
    }
  }
};

/// The meaning of the options of `parallel`: what is split, and who works.
template <class Option>
inline constexpr bool is_over = false;
template <int... I>
inline constexpr bool is_over<over<I...>> = true;
template <class... Options>
struct parallel_options {
  using split = void;
  using kind_of_workers = workers::chosen;
};
template <class First, class... More>
struct parallel_options<First, More...> : parallel_options<More...> {
  using rest = parallel_options<More...>;
  using split = std::conditional_t<is_over<First>, First, typename rest::split>;
  using kind_of_workers = std::conditional_t<is_over<First>, typename rest::kind_of_workers, First>;
};

/// The object of a shared program, of a program in static storage a static one.
template <class Object, class Settings, class Loss>
[[gnu::always_inline]] constexpr decltype(auto) make_shared_object() {
  if constexpr (Settings::is_static) return static_cast<static_program<Object>&>(program_of_loss<Object, Loss>);
  else return Object{};
}

/// A program that is to be shared, what is wrong with that, and the type of the object.
template <int N, class Options, class Program>
struct sharing_of;
template <int N, class Options, class Checked, class Loss, class Wrt, class Options_, class... A>
struct sharing_of<N, Options, compiled<Checked, Loss, Wrt, Options_, A...>> {
  using Settings = Options_;
  using loss = Loss;
  using over = typename Options::split;
  using arguments = std::tuple<A...>;
  using program = shared_program<N, over, Loss, Wrt, Settings, A...>;
  static constexpr sharing_fault fault = find_sharing_fault<program, Wrt, A...>();
  using none = no_program<A...>;
  static consteval auto object_type_of() {
    using plain = parallel_program<typename Options::kind_of_workers, program, Wrt, Checked, A...>;
    return std::type_identity<typename object_type<plain, Settings::is_checked, Wrt, A...>::type>{};
  }
};

}  // namespace detail

/// `program`, which `compile<wrt<...>>` has returned, as one that `N` workers share: called as it, with `grad`,
/// `result`, `status` and `facts`. Each worker has its block of the batch, of which argument is said by `over`: without
/// it, of those outside of wrt that are tensors with the last extent of the last argument. The value and the gradients
/// are the same in every bit whatever thread runs when. Docs: parallel.md.
template <int N, class... Options, class Program>
[[gnu::always_inline]] constexpr decltype(auto) parallel([[maybe_unused]] Program const& program) {
  // Sentences are called from here: the fewer calls between a mistake and the user's line, the better it is seen.
  using compiled = typename detail::without_storage<Program>::type;
  if constexpr (detail::is_no_program<compiled>) {
    return compiled{};
  } else if constexpr (!detail::is_compiled<compiled>) {
    error::not_a_program_to_share<Program>();
    return detail::no_program<>{};
  } else {
    using of = detail::sharing_of<N, detail::parallel_options<Options...>, compiled>;
    using shared = typename of::program;
    if constexpr (of::fault == detail::sharing_fault::none) {
      if constexpr (std::is_same_v<decltype(detail::find_mistake_in_shares<shared>()), detail::no_mistake>)
        return detail::make_shared_object<typename decltype(of::object_type_of())::type, typename of::Settings,
                                          typename of::loss>();
      else return typename of::none{};
    } else {
      if constexpr (of::fault == detail::sharing_fault::nothing_is_split) {
        error::nothing_to_share<typename of::arguments>();
      } else if constexpr (of::fault == detail::sharing_fault::unequal) {
        error::arguments_are_not_split_alike<typename of::over, typename of::arguments>();
      } else if constexpr (of::fault == detail::sharing_fault::counts_apart) {
        error::counted_argument_is_not_split<typename of::arguments>();
      } else if constexpr (of::fault == detail::sharing_fault::too_many_workers) {
        error::more_workers_than_entries<error::workers<N>, error::entries<shared::whole>>();
      } else if constexpr (of::fault == detail::sharing_fault::scattered_gradient) {
        error::gradient_is_scattered<typename of::arguments>();
      } else {
        constexpr auto verdict = shared::template verdict<shared::larger>::verdict;
        using op = op_at<verdict.at>;
        if constexpr (verdict.why == pass::hindrance::sum_is_needed) error::sum_is_needed_before_the_end<op>();
        else if constexpr (verdict.why == pass::hindrance::entries_meet) error::entries_of_workers_meet<op>();
        else if constexpr (verdict.why == pass::hindrance::position_matters) error::whole_value_meets_a_split_one<op>();
        else if constexpr (verdict.why == pass::hindrance::axis_is_divided) error::split_axis_is_divided<op>();
        else if constexpr (verdict.why == pass::hindrance::steps_are_ordered) error::steps_are_not_split<op>();
        else if constexpr (verdict.why == pass::hindrance::result_is_scattered) error::result_is_scattered<op>();
        else error::op_is_not_split<op>();
      }
      return typename of::none{};
    }
  }
}

ETCH_NAMESPACE_END
