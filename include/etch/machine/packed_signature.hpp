// packed_signature: a signature as a few words, the form in which it is a template argument and hence part of symbol
// names: written field by field, the names of kernels with dozens of inputs take compilers more time than their code.
#pragma once

#include <etch/machine/signature.hpp>

ETCH_NAMESPACE_BEGIN
namespace run {

/// The words of a `Signature`. Equal signatures have equal words.
template <class Signature, int Words>
struct packed_signature {
  fixed<std::uint64_t, Words> words{};
};

namespace detail {

/// Writes or reads a signature, one field after the other.
template <class Stream, int Inputs, int Steps, int Outputs, class Product>
constexpr void put(Stream& stream, signature<Inputs, Steps, Outputs, Product>& s) {
  auto const put_steps = [&](steps& step) {
    for (std::int64_t& each : step.entry) stream.number(each);
  };
  int kind = static_cast<int>(s.type) + 64 * s.counted;
  stream.number(kind);
  s.type = static_cast<element>(kind % 64);
  s.counted = kind / 64;
  if (s.counted != 0) stream.number(s.entries_counted);
  for (int& each : s.extent.entry) stream.number(each);
  pass::detail::kernel_stream<Stream>(stream).put(s.product);
  for (input_signature& in : s.in) {
    // Small fields share a number, and what is 0 is left out.
    attribute head = static_cast<attribute>(in.from) | static_cast<attribute>(in.type) << 2 |
                     static_cast<attribute>(in.bits != 0) << (2 + element_bits) |
                     static_cast<attribute>(in.step != steps{}) << (3 + element_bits);
    stream.number(head);
    in.from = static_cast<pass::source>(head & 3);
    in.type = static_cast<element>((head >> 2) & ((1 << element_bits) - 1));
    if ((head & (8 << element_bits)) != 0) put_steps(in.step);
    if ((head & (4 << element_bits)) == 0) continue;
    in.bits = std::rotl(in.bits, etch::detail::attribute_rotation);
    stream.number(in.bits);
    in.bits = std::rotr(in.bits, etch::detail::attribute_rotation);
  }
  for (step_signature& step : s.code) {
    stream.number(step.op);
    for (int i = 0; i < op_table.entry[step.op].arity; ++i) stream.number(step.operand.entry[i]);
  }
  for (output_signature& out : s.out) {
    attribute head = static_cast<attribute>(out.reduces) | static_cast<attribute>(out.accumulates) << 1 |
                     static_cast<attribute>(out.op) << 2;
    stream.number(head);
    out.reduces = (head & 1) != 0;
    out.accumulates = (head & 2) != 0;
    out.op = static_cast<opcode>(head >> 2);
    stream.number(out.value);
    put_steps(out.step);
  }
}

template <class Signature>
constexpr sequence<std::uint64_t> words_of(Signature s) {
  etch::detail::byte_writer out;
  pass::detail::kernel_writer writer{out};
  put(writer, s);
  return out.words();
}

}  // namespace detail

/// The packed form of the constant `Signature`.
template <auto const& Signature>
consteval auto pack_signature() {
  using type = std::remove_cvref_t<decltype(Signature)>;
  // Room that is always enough: no number takes twice the bytes of its field.
  constexpr etch::detail::roomy_words<static_cast<int>(sizeof(type) / 4)> roomy(detail::words_of(Signature));
  packed_signature<type, roomy.count> p;
  for (int i = 0; i < roomy.count; ++i) p.words.entry[i] = roomy.words.entry[i];
  return p;
}

/// The signature that `packed` holds.
template <class Signature, int Words>
constexpr Signature unpack_signature(packed_signature<Signature, Words> const& packed) {
  Signature s;
  pass::detail::kernel_reader reader{etch::detail::byte_reader(packed.words)};
  detail::put(reader, s);
  return s;
}
/// The packed signature as a constant of its own.
template <auto Packed>
inline constexpr auto unpacked = unpack_signature(Packed);

}  // namespace run
ETCH_NAMESPACE_END
