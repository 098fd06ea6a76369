// A file is either read exactly, or refused by an exception with the model as it was.
#pragma once

#include <etch/io/leaves.hpp>

#include <cstdio>
#include <cstdlib>

namespace fuzz {

using namespace etch;
using io::byte_string;
using io::byte_view;

template <class T>
struct part {
  param<T, 2, 3> weight;
  param<T, 2> bias;
  ETCH_MEMBERS(part, weight, bias)
};
struct model {
  std::array<part<float>, 2> layers;
  tensor<double, 3> d;
  tensor<bool, 3> b;
  std::tuple<std::int64_t, tensor<std::uint8_t, 2, 1, 2>> others;
  Eigen::Matrix<std::int16_t, 2, 3, Eigen::RowMajor> rows;
  ETCH_MEMBERS(model, layers, d, b, others, rows)
};

/// A model whose entries all differ from zero.
template <class A>
A filled() {
  A m{};
  int count = 0;
  argument<A>::visit(m, [&]<class T>(T* to, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(++count % 120 + 1);
  });
  return m;
}

template <class A>
byte_string memory_of(A const& m) {
  byte_string all;
  io::for_each_stored_leaf(m, io::leaves_in<A>(), [&](io::leaf const& l, std::byte const* from) {
    io::append(all, byte_view(from, l.bytes()));
  });
  return all;
}

inline void require(bool fact, char const* sentence) {
  if (fact) return;
  std::fprintf(stderr, "%s\n", sentence);
  std::abort();
}

/// `load(bytes, model)` reads or throws, and what it read is read again from `save(model)`.
template <class A>
bool holds_for(byte_view bytes, auto load, auto save) {
  static A const before = filled<A>();
  A m = before;
  try {
    load(bytes, m);
  } catch (etch::exception const& e) {
    require(std::string(e.what()).find(": at byte ") != std::string::npos, "the refusal names no byte");
    require(memory_of(m) == memory_of(before), "a refused file changed the model");
    return false;
  }
  A again = before;
  load(byte_view(save(m)), again);
  require(memory_of(m) == memory_of(again), "what was read and saved reads differently");
  return true;
}

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);
