#include <etch/machine/packed_signature.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

/// A signature in which no field has its default, with numbers of one byte and of many.
constexpr run::signature<3, 2, 2> every_field() {
  run::signature<3, 2, 2> s;
  s.type = element::f64;
  s.extent = {7, 1 << 20, 3, 2};
  s.product = pass::contraction_of(element::f64, make_shape(7, 1 << 20), 300, {1, 7}, {-5, 1 << 30}, false);
  s.in[0] = {pass::source::memory, element::f32, {1, -7, 1 << 30, 5}, 0};
  s.in[1] = {pass::source::constant, element::f64, {}, attribute_of(0.1)};
  s.in[2] = {pass::source::index, element::i64, {1, 0, 0, 0}, static_cast<attribute>(-3)};
  s.code[0] = {opcode_of<op::sin>, {2, 0, 0}};
  s.code[1] = {opcode_of<op::select>, {0, 3, 1}};
  s.out[0] = {{1, 7, 0, 0}, 4, false, true, 0};
  s.out[1] = {{0, 0, 0, -1}, 3, true, false, opcode_of<op::sum>};
  return s;
}
constexpr auto of_product = every_field();
constexpr auto of_convolution = [] {
  run::signature<1, 0, 1, pass::convolution> s;
  s.product.exists = s.product.contracts_batch = true;
  s.product.batch = 129, s.product.groups = 2, s.product.scratch_entries = 1 << 20;
  s.product.axis[1] = {24, 5, 28, 1, -1, 2, -4};
  s.product.a = {1, 128, 3584, 100'352};
  s.product.b_group = -9;
  return s;
}();

bool same_values(auto const& a, auto const& b) {
  bool same = a.type == b.type && a.extent == b.extent && a.product == b.product;
  for (std::size_t i = 0; i < a.in.size(); ++i)
    same = same && a.in[i].from == b.in[i].from && a.in[i].type == b.in[i].type && a.in[i].step == b.in[i].step &&
           a.in[i].bits == b.in[i].bits;
  for (std::size_t i = 0; i < a.code.size(); ++i) {
    same = same && a.code[i].op == b.code[i].op;
    for (std::size_t o = 0; o < static_cast<std::size_t>(op_table[a.code[i].op].arity); ++o)
      same = same && a.code[i].operand[o] == b.code[i].operand[o];
  }
  for (std::size_t i = 0; i < a.out.size(); ++i)
    same = same && a.out[i].value == b.out[i].value && a.out[i].step == b.out[i].step &&
           a.out[i].reduces == b.out[i].reduces && a.out[i].accumulates == b.out[i].accumulates &&
           a.out[i].op == b.out[i].op;
  return same;
}

}  // namespace

TEST_CASE("a packed signature holds every field of the signature") {
  CHECK(same_values(run::unpacked<run::pack_signature<of_product>()>, of_product));
  CHECK(same_values(run::unpacked<run::pack_signature<of_convolution>()>, of_convolution));
}

TEST_CASE("a changed field changes the words") {
  auto const words = [](auto const& s) { return run::detail::words_of(s); };
  auto const original = words(of_product);
  auto const differs = [&](auto change) {
    auto changed = of_product;
    change(changed);
    return !(words(changed) == original);
  };
  CHECK(differs([](auto& s) { s.type = element::f32; }));
  CHECK(differs([](auto& s) { s.extent[3] = 1; }));
  CHECK(differs([](auto& s) { s.product.b_batch[1] += 1; }));
  CHECK(differs([](auto& s) { s.product.in_parts = !s.product.in_parts; }));
  CHECK(differs([](auto& s) { s.in[0].step[3] = -5; }));
  CHECK(differs([](auto& s) { s.in[1].bits += 1; }));
  CHECK(differs([](auto& s) { s.in[2].from = pass::source::memory; }));
  CHECK(differs([](auto& s) { s.code[1].operand[2] = 0; }));
  CHECK(differs([](auto& s) { s.out[0].accumulates = false; }));
  CHECK(differs([](auto& s) { s.out[1].step[3] = 0; }));
}
