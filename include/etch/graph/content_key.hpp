// content_key: a short type for long content. What is a template argument is a part of symbol names, which compilers
// write, hash and copy again and again: a program of 3,500 nodes had names of 90,000 characters.
#pragma once

#include <etch/graph/packed_graph.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"  // each key has one function, which `keyed` defines
#endif

/// The 128 bits that stand for the words of one content. `content_of(key)` gives it back.
template <class Content, std::uint64_t High, std::uint64_t Low>
struct content_key {
  friend constexpr Content const& content_of(content_key);
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Stands for words with functions of the user's, which are an address already.
template <auto Address>
struct address_key {
  friend constexpr auto const& content_of(address_key) { return *Address; }
};

/// The multiplier and shifts of MurmurHash3's finaliser (A. Appleby, public domain).
constexpr std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >> 33);
}
/// 64 bits of words, which another seed makes others. (The hash of programs that files keep is weaker: two of it would
/// not be 128 bits.)
constexpr std::uint64_t digest(const_span<std::uint64_t> words, std::uint64_t seed) {
  std::uint64_t h = mixed(seed + words.size());
  for (std::uint64_t word : words) h = mixed(h ^ word) + seed;
  return h;
}

/// The words of a graph, or of a kernel.
constexpr const_span<std::uint64_t> words_in(auto const& content) {
  if constexpr (requires { content.words; }) return content.words;
  else return content;
}

/// Defines what the key of `Words` stands for.
template <auto Words>
struct keyed {
  using content = std::remove_const_t<decltype(Words)>;
  using key =
      content_key<content, digest(words_in(Words), 0x9e3779b97f4a7c15), digest(words_in(Words), 0xd1b54a32d192ed03)>;
  friend constexpr content const& content_of(key) { return Words; }
};
template <auto Address>
  requires std::is_pointer_v<decltype(Address)>
struct keyed<Address> {
  using key = address_key<Address>;
};

}  // namespace detail

/// The key of packed words, or of the address of words with functions.
template <auto Packed>
using key_of = typename detail::keyed<Packed>::key;

/// The graph that `Key` stands for.
template <class Key>
consteval auto graph_of() {
  return detail::read_literal<detail::packed_size(content_of(Key{}).words)>(content_of(Key{}).words);
}
/// The graph that `Packed` holds.
template <auto Packed>
consteval auto unpack() {
  return graph_of<key_of<Packed>>();
}

ETCH_NAMESPACE_END
