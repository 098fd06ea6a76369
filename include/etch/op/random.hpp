// Random numbers inside a loss: entry i is a function of a key, a stream and i alone, the same on
// every compiler and in every call.
#pragma once

#include <etch/graph/block.hpp>
#include <etch/base/philox.hpp>
#include <etch/op/elementwise.hpp>

#include <numbers>

ETCH_NAMESPACE_BEGIN
namespace op {

/// The element type and the stream of random numbers.
struct random_stream {
  bool wide = false;  ///< double, not float
  std::uint64_t stream = 0;

  constexpr random_stream(element type, std::uint64_t number) : wide(type == element::f64), stream(number) {}
  constexpr explicit random_stream(attribute bits) : wide((bits & 1) != 0), stream(bits >> 1) {}
  constexpr operator attribute() const { return stream << 1 | static_cast<attribute>(wide); }
};

/// Uniform in [0, 1): 24 bits for float, 53 for double. The operand is the key, a whole number of at most 53
/// bits; words of random bits are those of `nn::generator(key, stream)` in order, one for a float and two for a
/// double. No derivative flows through it.
struct random_uniform : block_kind {
  static constexpr bool counts = true;
  static constexpr auto name = "random_uniform";
  static constexpr auto call = "random_uniform<double, 4, 4>(key)";
  static constexpr auto formula = "philox(key, stream, i), i the position in memory order";
  static constexpr int arity = 1;
  static constexpr bool takes_shape = true, mixed_types = true, differentiable = false;

  static constexpr bool accepts(attribute, shape const&, shapes<1> const& key) { return key[0].size() == 1; }
  static constexpr element type(attribute a) { return random_stream(a).wide ? element::f64 : element::f32; }

  // Out of line: the same code wherever random numbers are drawn.
  template <class T, class Key>
  [[gnu::noinline]] static constexpr status run(attribute a, block<T> y, block<Key const> key) {
    bool const wide = random_stream(a).wide;
    std::uint64_t const stream = random_stream(a).stream;
    std::uint64_t const seed = static_cast<std::uint64_t>(static_cast<std::int64_t>(key.data[0]));
    std::array<std::uint32_t, 4> words{};
    std::uint64_t at = 0;  // of the next word
    auto const next = [&] {
      if (at % 4 == 0) words = philox({low(at / 4), high(at / 4), low(stream), high(stream)}, {low(seed), high(seed)});
      return words[at++ % 4];
    };
    for_each_index(y.extent, [&](auto const& i) {
      if (wide) {
        std::uint64_t const first = next(), second = next();
        y(i) = static_cast<T>(static_cast<double>((first << 32 | second) >> 11) * 0x1p-53);
      } else {
        y(i) = static_cast<T>(static_cast<float>(next() >> 8) * 0x1p-24f);
      }
    });
    return status::ok;
  }
  static std::string describe(node const& n) {
    return "<stream " + std::to_string(random_stream(n.attributes).stream) + ">";
  }

 private:
  static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
};

}  // namespace op
ETCH_NAMESPACE_END

ETCH_NAMESPACE_BEGIN

/// The source of random numbers: a whole number that the loss is called with (of at most 53 bits), and the stream
/// under it (of 63 bits). What is drawn from one key is the same each time, whatever it is used for; `fold(n)` is
/// another key, one for each n. A number alone is the key of its stream 0.
template <static_handle Seed>
struct random_key {
  Seed seed;
  std::uint64_t stream = 0;

  constexpr explicit random_key(Seed const& s, std::uint64_t number = 0)
      : seed(s), stream(number & (~std::uint64_t{0} >> 1)) {}
  /// The stream's number goes through the finaliser of splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA
  /// 2014), so that folds of folds differ.
  constexpr random_key fold(std::uint64_t n) const {
    std::uint64_t z = stream + n * 0x9E3779B97F4A7C15u + 0xD1342543DE82EF95u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return random_key(seed, z ^ (z >> 31));
  }
};

namespace detail {

template <class Seed>
constexpr auto key_of(random_key<Seed> const& key) {
  return key;
}
template <static_handle Seed>
constexpr auto key_of(Seed const& seed) {
  return random_key<Seed>(seed);
}

/// A value that random numbers can be drawn from.
template <class Key>
concept key = requires(Key const& k) {
  requires std::is_integral_v<typename decltype(key_of(k).seed)::scalar_type>;
  requires decltype(key_of(k).seed)::extent.size() == 1;
};

template <class T, shape Extent, class Seed>
constexpr auto uniform(random_key<Seed> const& key) {
  if (key.seed.owner == nullptr) error::constants_belong_to_no_graph();
  op::random_stream const stream(element_of<T>, key.stream);
  return make_expr<T, Extent>(key.seed.owner,
                              emit_shaped<op::random_uniform>(Extent, stream, term{key.seed.owner, key.seed.id}).id);
}

}  // namespace detail

/// Numbers uniform in [0, 1), drawn from `key`: a `random_key`, or an integer that the loss is called with.
template <scalar T, int... Dims, class Key>
constexpr auto random_uniform(Key const& key) {
  static_assert(std::is_floating_point_v<T>, "etch: random numbers are float or double");
  if constexpr (!detail::key<Key>) {
    error::key_is_not_an_integer<Key>();
    return detail::instead_of<T, make_shape(Dims...)>(key);
  } else {
    return detail::uniform<T, make_shape(Dims...)>(detail::key_of(key));
  }
}

/// Numbers of the standard normal distribution, drawn from `key` (G. Box, M. Muller, 1958).
template <scalar T, int... Dims, class Key>
constexpr auto random_normal(Key const& key) {
  if constexpr (!detail::key<Key>) {
    return random_uniform<T, Dims...>(key);
  } else {
    constexpr int count = static_cast<int>(make_shape(Dims...).size());
    auto const both = random_uniform<T, 2 * count>(key);
    auto const radius = sqrt(-2 * log1p(-slice<0, 0, count>(both)));
    return reshape<Dims...>(cwise_product(radius, cos(2 * std::numbers::pi * slice<0, count, count>(both))));
  }
}

/// Each entry of `x` is 0 with probability `rate`, a number in [0, 1] or a traced scalar, and else divided
/// by 1 - `rate`, so that the mean stays (N. Srivastava et al., Dropout, JMLR 2014). The same key, shape
/// and element type give the same mask.
template <static_handle X, class Key>
constexpr auto dropout(X const& x, Key const& key, auto const& rate) {
  using T = std::conditional_t<detail::operand_traits<X>::literal, float, typename X::scalar_type>;
  if constexpr (!detail::key<Key>) {
    error::key_is_not_an_integer<Key>();
    return detail::instead_of<T, X::extent>(x);
  } else {
    if constexpr (scalar<std::remove_cvref_t<decltype(rate)>>)
      if (!(rate >= 0 && rate <= 1)) error::rate_is_no_probability(static_cast<double>(rate));
    return select(detail::uniform<T, X::extent>(detail::key_of(key)) >= rate, x / (1 - rate), 0.0);
  }
}

ETCH_NAMESPACE_END
