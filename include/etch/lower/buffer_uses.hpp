// buffer_uses: which buffers each kernel reads and writes, as plain lists; what ordering and planning ask of kernels.
#pragma once

#include <etch/lower/kernel.hpp>
#include <etch/lower/sampled_carries.hpp>

#include <algorithm>

ETCH_NAMESPACE_BEGIN
namespace pass {

/// Several lists of numbers, one behind the other.
struct lists {
  sequence<int> entry, first;  ///< list i is entry[first[i]] ... entry[first[i + 1] - 1]

  constexpr const_span<int> operator[](int i) const {
    return {entry.begin() + first.entry[i], static_cast<std::size_t>(first.entry[i + 1] - first.entry[i])};
  }
  constexpr int count(int i) const { return first.entry[i + 1] - first.entry[i]; }
};

/// The buffers of a program, named by the nodes that own them, and the kernels that use them. Arguments are left out.
struct buffer_uses {
  int kernels = 0, nodes = 0;
  lists read, written;             ///< by kernel: buffers, each once
  lists readers, writers;          ///< by buffer: kernels
  sequence<std::int64_t> scratch;  ///< by kernel: bytes
};

namespace detail {

/// From lists of buffers by kernel, the lists of kernels by buffer.
constexpr lists inverse(lists const& of, int kernels, int nodes) {
  lists to;
  to.first = sequence<int>::zeros(static_cast<std::size_t>(nodes) + 1);
  to.entry = sequence<int>::zeros(of.entry.size());
  int* const first = to.first.begin();
  for (int buffer : of.entry) ++first[buffer + 1];
  for (int i = 0; i < nodes; ++i) first[i + 1] += first[i];
  sequence<int> next = to.first;
  for (int k = 0; k < kernels; ++k)
    for (int buffer : of[k]) to.entry.entry[next.entry[buffer]++] = k;
  return to;
}

}  // namespace detail

constexpr buffer_uses buffer_uses_of(graph_view g, const_span<kernel> kernels) {
  buffer_uses t;
  t.kernels = static_cast<int>(kernels.size());
  t.nodes = g.size();
  sequence<int> seen = filled(g.nodes.size(), -1), made = seen;
  for (int k = 0; k < t.kernels; ++k) {
    kernel const& body = kernels.start[k];
    t.read.first.push_back(static_cast<int>(t.read.entry.size()));
    t.written.first.push_back(static_cast<int>(t.written.entry.size()));
    for_each_read(body, [&](access const& a) {
      if (seen.entry[a.root] == k || is_input(g.nodes.start[a.root])) return;
      seen.entry[a.root] = k;
      t.read.entry.push_back(a.root);
    });
    for_each_write(body, [&](result const& r) {
      if (made.entry[r.root] == k) return;
      made.entry[r.root] = k;
      t.written.entry.push_back(r.root);
    });
    t.scratch.push_back(padded(body.head.scratch));
  }
  t.read.first.push_back(static_cast<int>(t.read.entry.size()));
  t.written.first.push_back(static_cast<int>(t.written.entry.size()));
  t.readers = detail::inverse(t.read, t.kernels, t.nodes);
  t.writers = detail::inverse(t.written, t.kernels, t.nodes);
  return t;
}

}  // namespace pass
ETCH_NAMESPACE_END
