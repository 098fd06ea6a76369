#include <etch/graph/content_key.hpp>

#include <etch/op/table.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <set>
#include <vector>

using namespace etch;

namespace {

/// x + x + ... of `Terms` terms.
template <int Terms>
struct sum_graph {
  static constexpr auto frozen = freeze([] {
    graph g;
    term const x = input(g, element::f64, make_shape(3), 0);
    term total = x;
    for (int i = 1; i < Terms; ++i) total = total + x * (i + 0.5);
    g.outputs = {total.id};
    return g;
  });
  static constexpr graph_view value = frozen;
};
template <int Terms>
using key = key_of<pack<sum_graph<Terms>>()>;

// Equal content has one key, and the key gives it back.
static_assert(std::is_same_v<key<4>, key_of<pack<sum_graph<4>>()>> && !std::is_same_v<key<4>, key<5>>);
static_assert(graph_of<key<4>>().nodes.size() == sum_graph<4>::value.nodes.size());
static_assert(graph_of<key<5>>().nodes.size() == sum_graph<5>::value.nodes.size());

}  // namespace

TEST_CASE("every bit of the words, their order and their number count in both halves of a key") {
  for (std::uint64_t seed : {std::uint64_t{0x9e3779b97f4a7c15}, std::uint64_t{0xd1b54a32d192ed03}}) {
    std::vector<std::uint64_t> words;
    for (std::uint64_t i = 0; i < 40; ++i) words.push_back(i < 20 ? i : 0);
    std::set<std::uint64_t> seen;
    std::size_t made = 0;
    auto const add = [&] { seen.insert(detail::digest({words.data(), words.size()}, seed)), ++made; };
    add();
    int changed = 0;
    for (std::uint64_t& word : words)
      for (int bit = 0; bit < 64; ++bit) {
        std::uint64_t const before = seed + detail::digest({words.data(), words.size()}, seed);
        word ^= std::uint64_t{1} << bit;
        add();
        changed += std::popcount(before ^ (seed + detail::digest({words.data(), words.size()}, seed)));
        word ^= std::uint64_t{1} << bit;
      }
    CHECK(changed == doctest::Approx(32 * 40 * 64).epsilon(0.02));  // half of the bits of a digest, on average
    for (std::size_t i = 1; i < 20; ++i) std::swap(words[i], words[i - 1]), add(), std::swap(words[i], words[i - 1]);
    for (int i = 0; i < 20; ++i) words.pop_back(), add();
    CHECK(seen.size() == made);
  }
}
