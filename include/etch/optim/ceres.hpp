// ceres_cost, ceres_manifold: residuals of a small program at many observations, with Jacobians, as a cost function.
// Needs Ceres (libceres-dev); not part of etch.hpp.
#pragma once

#include <etch/op/concat.hpp>
#include <etch/op/constants.hpp>
#include <etch/op/permute.hpp>
#include <etch/op/reshape.hpp>
#include <etch/manifold/group.hpp>
#include <etch/manifold/product.hpp>
#include <etch/manifold/unit_sphere.hpp>
#include <etch/optim/flat.hpp>
#include <etch/compile/program.hpp>
#include <etch/transform/jacobian.hpp>
#include <etch/transform/jacobian_map.hpp>

#include <ceres/cost_function.h>
#include <ceres/manifold.h>

#include <algorithm>
#include <cmath>
#include <memory>

ETCH_NAMESPACE_BEGIN
namespace optim {

namespace detail {

/// Makes the leaves of an argument from the entries of a traced vector, in order.
struct leaf_of_vector {
  graph* owner;
  int vector;
  int* next;

  template <scalar T, shape Extent>
  constexpr auto operator()() const {
    constexpr int count = static_cast<int>(Extent.size());
    term const entries = slice(term{owner, vector}, region(0, *next), count);
    *next += count;
    return make_expr<T, Extent>(owner, reshaped(entries, Extent).id);
  }
  template <scalar T, shape Extent>
  constexpr auto transposed() const {
    return etch::transpose((*this).template operator()<T, Extent>());
  }
};

/// Whether all entries of an argument are of type `T`.
template <scalar T, class Model>
consteval bool has_only() {
  graph g;
  int position = 0;
  static_cast<void>(argument<Model>::trace(pass::leaf_maker{&g, &position}));
  for (int i = 0; i < g.size(); ++i)
    if (g[i].type != element_of<T>) return false;
  return true;
}

/// The residual `F` of one observation, at all observations: of models that lie one after the other in one
/// vector, and columns of data. As one array: for each residual a column, and in it first the residual and then,
/// if wanted, its derivatives by that vector.
template <bool Derivatives, class F, class... Model>
struct at_observations {
  constexpr auto operator()(auto parameters, auto... data) const {
    constexpr int size = static_cast<int>((flat_size<Model> + ...));
    constexpr int common = etch::detail::steps_of<std::tuple<decltype(data)...>>();
    constexpr int count = sizeof...(data) == 0 || common == 0 ? 1 : common;
    constexpr auto at_one = [](auto const& vector, auto const&... column) {
      int next = 0;
      leaf_of_vector const make{vector.owner, vector.id, &next};
      std::tuple<typename argument<Model>::traced...> const models{argument<Model>::trace(make)...};
      return std::apply([&](auto const&... model) { return F{}(model..., column...); }, models);
    };
    auto const everywhere = reshape<size, 1>(parameters) + zeros<size, count>();
    if constexpr (Derivatives) {
      auto const [value, jacobian] = jacobian_map<wrt<0>>(at_one, everywhere, data...);
      constexpr int residuals = static_cast<int>(decltype(value)::extent.size());
      return concat<0>(reshape<1, residuals>(value), by_residual<size, residuals>(jacobian));
    } else {
      auto const value = map(at_one, everywhere, data...);
      return reshape<1, static_cast<int>(decltype(value)::extent.size())>(value);
    }
  }

 private:
  template <int Size, int Residuals, class Jacobian>
  static constexpr auto by_residual(Jacobian const& jacobian) {
    if constexpr (Jacobian::extent.rank == 2) return jacobian;
    else return reshape<Size, Residuals>(permute<1, 0, 2>(jacobian));
  }
};

}  // namespace detail

/// The residuals `F(model..., column...)` of all observations as a cost function of the models, one block of parameters
/// each. The programs that compute them belong to the thread that calls, so a cost function may be shared by threads.
template <class F, class Models, class... Data>
class ceres_residuals;

template <class F, class... Model, class... Data>
class ceres_residuals<F, std::tuple<Model...>, Data...> final : public ceres::CostFunction {
  static constexpr bool single = (detail::has_only<float, Model>() && ...);
  static_assert(single || (detail::has_only<double, Model>() && ...),
                "etch: Ceres differentiates floating-point numbers, all of one type");
  static constexpr std::size_t block_size[] = {flat_size<Model>...};
  static constexpr std::size_t size = (flat_size<Model> + ...);

 public:
  /// All parameters one after the other, in the element type of the models.
  using parameters = tensor<std::conditional_t<single, float, double>, static_cast<int>(size)>;
  using values_program =
      decltype(compile<wrt<>>(detail::at_observations<false, F, Model...>{}, parameters{}, std::declval<Data>()...));
  using jacobian_program =
      decltype(compile<wrt<>>(detail::at_observations<true, F, Model...>{}, parameters{}, std::declval<Data>()...));
  static constexpr std::size_t residuals = typename values_program::value_type{}.size();

  explicit ceres_residuals(Data const&... data) : data_(data...) {
    set_num_residuals(static_cast<int>(residuals));
    for (std::size_t each : block_size) mutable_parameter_block_sizes()->push_back(static_cast<std::int32_t>(each));
  }

  /// Residuals, and the Jacobians of those blocks whose pointers are not null. False where a residual or a
  /// decomposition failed, which Ceres takes for a step that goes too far.
  bool Evaluate(double const* const* blocks, double* values, double** jacobians) const override {
    if (jacobians == nullptr) return run<values_program>(blocks, values, nullptr);
    return run<jacobian_program>(blocks, values, jacobians);
  }

 private:
  std::tuple<Data...> data_;

  template <class Program>
  bool run(double const* const* blocks, double* values, double** jacobians) const {
    thread_local constinit parameters all{};
    thread_local constinit Program program{};
    std::size_t first = 0;
    for (std::size_t b = 0; b < sizeof...(Model); ++b)
      for (std::size_t i = 0; i < block_size[b]; ++i)
        all.data()[first++] = static_cast<typename parameters::value_type>(blocks[b][i]);
    auto const& found = std::apply([&](Data const&... data) -> auto const& { return program(all, data...); }, data_);
    bool valid = program.status() == status::ok;
    auto const* entry = found.data();
    for (std::size_t r = 0; r < residuals; ++r) {
      values[r] = *entry++;
      valid = valid && std::isfinite(values[r]);
      if (jacobians == nullptr) continue;
      for (std::size_t b = 0; b < sizeof...(Model); entry += block_size[b++])
        if (jacobians[b] != nullptr) std::copy(entry, entry + block_size[b], jacobians[b] + r * block_size[b]);
    }
    return valid;
  }
};

namespace detail {

template <class F, class Chosen, class A>
struct residuals_type;
template <class F, int... I, class... A>
struct residuals_type<F, wrt<I...>, std::tuple<A...>> {
  static constexpr int count = sizeof...(I);
  static_assert(std::is_same_v<std::integer_sequence<int, I...>, std::make_integer_sequence<int, count>> && count > 0,
                "etch: the arguments that Ceres differentiates come first: wrt<0>, wrt<0, 1>, ..., and then the data");
  template <std::size_t... M, std::size_t... D>
  static auto split(std::index_sequence<M...>, std::index_sequence<D...>)
      -> ceres_residuals<F, std::tuple<std::tuple_element_t<M, std::tuple<A...>>...>,
                         std::tuple_element_t<count + D, std::tuple<A...>>...>;
  using type = decltype(split(std::make_index_sequence<count>{}, std::make_index_sequence<sizeof...(A) - count>{}));
};

}  // namespace detail

/// A cost function for `ceres::Problem::AddResidualBlock` from `f(model, ..., x, ...)`, which returns the residual,
/// or a vector of them, of one observation. The arguments at the positions of `Wrt`, which come first, are blocks
/// of parameters, the same for all observations; their values are not read. The other arguments are data, of which
/// `f` sees one column each (see map.md); they are copied. Residuals are numbered observation by observation, the
/// entries of a block as `flatten` orders them.
template <class Wrt = wrt<0>, class F, class... A>
auto ceres_cost(F const&, A const&... arguments) {
  using cost = typename detail::residuals_type<F, Wrt, std::tuple<A...>>::type;
  constexpr std::size_t models = detail::residuals_type<F, Wrt, std::tuple<A...>>::count;
  std::tuple<A const&...> const all(arguments...);
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return std::make_unique<cost>(std::get<models + D>(all)...);
  }(std::make_index_sequence<sizeof...(A) - models>{});
}

/// The manifold of a parameter block that is an `X`, for `ceres::Problem::SetManifold`: an `so3<double>`, an
/// `std::array` of `se3<double>`, a struct that holds some. Plus is `retract`, Minus is `local`; the block has the
/// entries of X as `flatten` orders them, and the residuals of `ceres_cost` have their Jacobians by these.
template <class X>
class ceres_manifold final : public ceres::Manifold {
  static_assert(etch::detail::holds_curved<X>(), "etch: a manifold for Ceres is that of a type with tangent vectors");
  using tangent = typename argument<X>::gradient;
  static constexpr int ambient_size = static_cast<int>(flat_size<X>),
                       tangent_size = static_cast<int>(flat_size<tangent>);
  using rows = Eigen::Matrix<double, ambient_size, tangent_size>;

 public:
  int AmbientSize() const override { return ambient_size; }
  int TangentSize() const override { return tangent_size; }
  bool Plus(double const* x, double const* delta, double* x_plus_delta) const override {
    put(etch::manifold::retract(read<X>(x), read<tangent>(delta)), x_plus_delta);
    return true;
  }
  bool Minus(double const* y, double const* x, double* y_minus_x) const override {
    put(etch::manifold::local(read<X>(x), read<X>(y)), y_minus_x);
    return true;
  }
  bool PlusJacobian(double const* x, double* jacobian) const override {
    Eigen::Map<Eigen::Matrix<double, ambient_size, tangent_size, tangent_size == 1 ? 0 : Eigen::RowMajor>> to(jacobian);
    to = plus_jacobian(x);
    return true;
  }
  /// The left inverse of that of Plus that gives nothing to what leaves the manifold.
  bool MinusJacobian(double const* x, double* jacobian) const override {
    rows const plus = plus_jacobian(x);
    Eigen::Map<Eigen::Matrix<double, tangent_size, ambient_size, Eigen::RowMajor>> to(jacobian);
    to = (plus.transpose() * plus).ldlt().solve(plus.transpose());
    return true;
  }

 private:
  template <class V>
  static V read(double const* from) {
    V v{};
    unflatten(std::span<double const, flat_size<V>>(from, flat_size<V>), v);
    return v;
  }
  template <class V>
  static void put(V const& v, double* to) {
    flatten(v, std::span<double, flat_size<V>>(to, flat_size<V>));
  }
  static rows plus_jacobian(double const* x) {
    auto const found = etch::jacobian(etch::detail::same_value{})(read<X>(x));
    rows j;
    for (int column = 0; column < tangent_size; ++column)
      for (int row = 0; row < ambient_size; ++row) j(row, column) = static_cast<double>(found(row, column));
    return j;
  }
};

}  // namespace optim
ETCH_NAMESPACE_END
