// repeated: equal layers one after the other. They are compiled once, as a loop over their parameters.
#pragma once

#include <etch/core/columns.hpp>
#include <etch/core/members.hpp>
#include <etch/nn/dropout.hpp>
#include <etch/op/reshape.hpp>
#include <etch/transform/scan.hpp>

#include <array>

ETCH_NAMESPACE_BEGIN
namespace nn {

namespace detail {

using etch::detail::columns_of, etch::detail::element_tag, etch::detail::rebind;

/// Reads the leaves of a layer from a column that holds its parameters.
template <class T, int Rows>
struct column_reader {
  static constexpr bool takes_columns = true;
  expr<T, Rows> column;
  int const* places;
  std::size_t* next;

  template <scalar, shape Extent>
  constexpr auto operator()() const {
    int const at = places[(*next)++];
    return make_expr<T, Extent>(
        column.owner,
        reshaped(slice({column.owner, column.id}, region(0, at), static_cast<int>(Extent.size())), Extent).id);
  }
  template <scalar Same, shape Extent>
  constexpr auto transposed() const {
    return etch::transpose((*this).template operator()<Same, Extent>());
  }
  template <scalar Same, shape Extent>
  constexpr auto columns() const {
    return (*this).template operator()<Same, Extent>();
  }
};

/// The traced layer whose parameters are in `column`; `Layer` is its type outside.
template <class Layer, class T, int Rows>
constexpr auto layer_in(expr<T, Rows> const& column) {
  std::size_t next = 0;
  return argument<Layer>::trace(column_reader<T, Rows>{column, columns_of<Layer, T>::places.data(), &next});
}
/// The one whose parameters are in column `i`.
template <class Layer, class T, int Rows, int Count>
constexpr auto layer_in(expr<T, Rows, Count> const& all, std::size_t i) {
  term const column = slice({all.owner, all.id}, region(1, static_cast<int>(i)), 1);
  return layer_in<Layer>(expr<T, Rows>(all.owner, reshaped(column, make_shape(Rows)).id));
}

template <int N>
constexpr auto mistake_in_repeated() {
  if constexpr (N < 1) return error::repeated_without_layers<N>();
}

/// Whether `a` is made of views of column `i` of `all` as `b` is of column 0.
constexpr bool is_same_in_column(term all, int i, term a, term b) {
  for (; a.id != all.id; a = a.operand(0), b = b.operand(0)) {
    bool const picks_column = b->op == opcode_of<op::slice> && b.operand(0).id == all.id;
    if (a.id < 0 || b.id == all.id || a->op != b->op || !(a->extent == b->extent) || !facts_of(*a).is_view)
      return false;
    if (a->attributes != (picks_column ? attribute{region(1, i)} : b->attributes)) return false;
  }
  return b.id == all.id;
}

/// The type of a traced layer outside; itself where it is not traced.
template <class Layer>
struct untraced {
  using type = Layer;
};
template <class Layer>
  requires requires { typename etch::detail::first_parameter<Layer>::type::scalar_type; }
struct untraced<Layer> {
  using type = typename rebind<Layer, typename etch::detail::first_parameter<Layer>::type::scalar_type>::type;
};

}  // namespace detail

/// `N` layers of one type, each applied to what the one before it gives, which has the shape of what it is given.
/// They are members like any others, `body.layers[3]` or `body[3]`, and compile to one loop: 50 layers to the
/// code of 2, which reads their parameters where they are. Functions between layers are part of the layer:
/// `repeated<50, sequential<T, dense<T, 32, 32>, activation::tanh>>`. With a key, as in `model(x, key)`, and
/// where a layer was replaced in the loss or lies on a tape, the layers are called one by one; layer i then draws
/// its random numbers from `key.fold(i)`.
template <int N, class Layer>
struct repeated {
  using mistake = decltype(detail::mistake_in_repeated<N>());
  static constexpr int count = N;

  std::array<Layer, (N < 1 ? 1 : N)> layers;
  ETCH_MEMBERS(repeated, layers)

  constexpr Layer& operator[](std::size_t i) { return layers[i]; }
  constexpr Layer const& operator[](std::size_t i) const { return layers[i]; }

  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (!keeps_shape<X, decltype(layers[0](x))>()) return layers[0](x);
    else if constexpr (!is_traced_in_columns())
      return one_by_one(x, [](Layer const& layer, auto const& y, std::size_t) { return layer(y); });
    else {
      using Y = std::remove_cvref_t<decltype(layers[0](x))>;
      auto const all = found();
      if (all.owner == nullptr)
        return one_by_one(x, [](Layer const& layer, auto const& y, std::size_t) { return layer(y); });
      auto const y = scan(
          [](auto const& carry, auto const& column) { return detail::layer_in<outside>(joined_column(column))(carry); },
          x, all);
      return etch::make_handle<Y>(y.owner, y.id);
    }
  }
  template <class X>
  constexpr auto operator()(X const& x, etch::detail::key auto const& key) const {
    auto const own = etch::detail::key_of(key);
    auto const apply = [&](Layer const& layer, auto const& y, std::size_t i) {
      return detail::with_key(layer, y, own.fold(i));
    };
    if constexpr (!keeps_shape<X, decltype(apply(layers[0], x, 0))>()) return apply(layers[0], x, 0);
    else return one_by_one(x, apply);
  }

 private:
  using outside = typename detail::untraced<Layer>::type;
  using number = typename detail::element_tag<outside>::type;
  using columns = detail::columns_of<outside, number>;

  /// Whether a program sees the layers as one leaf, so that those here may be parts of one.
  static consteval bool is_traced_in_columns() {
    if constexpr (std::is_same_v<outside, Layer>) return false;
    else if constexpr (!etch::detail::is_in_columns<repeated<N, outside>>) return false;
    else return std::is_same_v<typename argument<outside>::traced, Layer>;
  }
  template <class X, class Result>
  static constexpr bool keeps_shape() {
    using Y = std::remove_cvref_t<Result>;
    if constexpr (static_handle<X> && static_handle<Y>) {
      if constexpr (X::extent == Y::extent) return true;
      else return error::repeated_layer_changes_the_shape<X, Y>(), false;
    } else {
      return true;
    }
  }
  constexpr auto one_by_one(auto const& x, auto const& apply) const {
    auto y = apply(layers[0], x, 0);
    for (std::size_t i = 1; i < layers.size(); ++i) y = apply(layers[i], y, i);
    return y;
  }
  template <class Column>
  static constexpr auto joined_column(Column const& column) {
    return expr<number, columns::rows>(column.owner, column.id);
  }

  /// The matrix whose columns are the parameters of these layers, as a program is given it;
  /// no value where there is none.
  constexpr auto found() const {
    using matrix = expr<number, columns::rows, N>;
    term from{};
    visit_leaves([&](auto const& leaf) { from = from.exists() ? from : term{leaf.owner, leaf.id}; }, layers[0]);
    constexpr shape wanted = make_shape(columns::rows, N);
    while (from.exists() && from.id >= 0 && !(from.extent() == wanted) && facts_of(*from).is_view)
      from = from.operand(0);
    if (!from.exists() || from.id < 0 || !(from.extent() == wanted)) return matrix(nullptr, -1);
    matrix const all(from.owner, from.id);
    auto const expected = detail::layer_in<outside>(all, 0);
    bool same = true;
    visit_leaves([&](auto const& a, auto const& b) { same = same && a.owner == b.owner && a.id == b.id; }, layers[0],
                 expected);
    for (std::size_t i = 1; i < N; ++i)
      visit_leaves(
          [&](auto const& a, auto const& b) {
            same = same && a.owner == b.owner && a.id >= 0 &&
                   detail::is_same_in_column(from, static_cast<int>(i), {a.owner, a.id}, {b.owner, b.id});
          },
          layers[i], expected);
    return same ? all : matrix(nullptr, -1);
  }
};

}  // namespace nn
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

namespace detail {

template <int N, class Layer>
  requires(N > 1 && argument<Layer>::rebindable)
inline constexpr bool is_in_columns<nn::repeated<N, Layer>> =
    columns_of<Layer, typename element_tag<Layer>::type>::exist;

}  // namespace detail

/// A program sees layers of tensors of one type as one leaf, a matrix with the parameters of a layer in each column.
template <int N, class Layer>
struct argument<nn::repeated<N, Layer>> {
  static constexpr bool rebindable = argument<Layer>::rebindable;
  using mistake = typename nn::repeated<N, Layer>::mistake;
  using traced = nn::repeated<N, typename argument<Layer>::traced>;
  using gradient = nn::repeated<N, typename argument<Layer>::gradient>;

  static constexpr traced trace(auto make) {
    traced t{};
    if constexpr (columned<decltype(make)>()) {
      using columns = detail::columns_of<Layer, number>;
      auto const all = make.template columns<number, make_shape(columns::rows, N)>();
      for (std::size_t i = 0; i < t.layers.size(); ++i) t.layers[i] = nn::detail::layer_in<Layer>(all, i);
    } else {
      t.layers = each::trace(make);
    }
    return t;
  }
  static constexpr void visit(auto& a, auto f) {
    if constexpr (columned<decltype(f)>())
      detail::visit_columns<Layer, number, static_cast<std::size_t>(N)>(a.layers, f);
    else each::visit(a.layers, f);
  }

 private:
  using number = typename detail::element_tag<Layer>::type;
  using each = argument < std::array<Layer, N<1 ? 1 : N>>;
  template <class Taker>
  static consteval bool columned() {
    return detail::is_in_columns<nn::repeated<N, Layer>> && detail::takes_columns<Taker>;
  }
};

ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN
namespace dynamic {

template <class S>
struct taped_element;  // tape/structure.hpp
template <int N, class Layer>
struct taped_element<nn::repeated<N, Layer>> : taped_element<Layer> {};

}  // namespace dynamic
ETCH_NAMESPACE_END
