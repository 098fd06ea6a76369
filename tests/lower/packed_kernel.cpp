#include <etch/lower/packed_kernel.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// A loop over [3, 5]: a transposed input, a constant, a sum along the second axis into the workspace.
constexpr pass::scheduled_kernel example() {
  pass::scheduled_kernel k;
  k.space = make_shape(3, 5);
  k.type = element::f64;
  pass::placed x{pass::source::memory, {pass::location::place::argument, 2, -8}, {-5, 1, 0, 0}, element::f64};
  pass::placed c{pass::source::constant};
  c.type = element::f64;
  c.bits = attribute_of(0.1);
  pass::placed y{pass::source::memory, {pass::location::place::workspace, 0, 64}, {1, 0, 0, 0}, element::f64};
  y.value = 0;
  y.reduces = true;
  y.op = opcode_of<op::sum>;
  k.inputs = {x, c};
  k.code = {pass::instruction{opcode_of<op::mul>, 0, {~0, ~1, 0}}};
  k.results = {y};
  return k;
}

constexpr bool comes_back() {
  detail::byte_writer out;
  pass::scheduled_kernel k = example(), other = example();
  other.inputs[0].at.offset = 1 << 20;
  pass::pack_kernel(out, k);
  std::size_t const second = out.words().size();
  pass::pack_kernel(out, other);
  const_span<std::uint64_t> const words = out.words();
  pass::scheduled_kernel const a = pass::unpack_kernel(words.first(second));
  pass::scheduled_kernel const b = pass::unpack_kernel({words.start + second, words.count - second});
  return a.inputs == example().inputs && a.results == example().results && a.space == k.space && a.type == k.type &&
         a.code[0].op == k.code[0].op && a.code[0].operand == k.code[0].operand && b.inputs == other.inputs &&
         !(a.inputs == b.inputs);
}

}  // namespace

static_assert(comes_back(), "kernels one after the other are read back as they were, strides below zero included");

TEST_CASE("a kernel takes a few words") {
  detail::byte_writer out;
  pass::scheduled_kernel k = example();
  pass::pack_kernel(out, k);
  CHECK(out.words().size() <= 8);
}
