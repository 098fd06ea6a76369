#include <etch/lower/buffer_uses.hpp>

#include <etch/lower/fuse.hpp>
#include <etch/lower/materialise.hpp>

#include <doctest/doctest.h>

using namespace etch;

TEST_CASE("every buffer is listed once for each kernel that reads or writes it, arguments never") {
  graph from;
  term const x = input(from, element::f64, make_shape(6, 6), 0);
  term const y = matmul(x, x), z = matmul(y, y);
  term const total = emit<op::sum>(op::reduction::whole, z * transpose(z));
  from.outputs = {total.id};
  graph const g = pass::materialise(from);
  auto const kernels = pass::fuse(g);
  pass::buffer_uses const t = pass::buffer_uses_of(g, kernels);
  CHECK(t.kernels == 3);
  CHECK(t.read.count(0) == 0);
  CHECK(t.read.count(1) == 1);  // y, though it is both operands
  CHECK(t.read.count(2) == 1);  // z, though it is read in two ways
  int const first = t.written[0][0], second = t.written[1][0];
  CHECK(t.read[1][0] == first);
  CHECK(t.read[2][0] == second);
  CHECK(t.readers.count(first) == 1);
  CHECK(t.readers[first][0] == 1);
  CHECK(t.writers[second][0] == 1);
  CHECK(t.readers.count(x.id) == 0);
  for (std::size_t k = 0; k < kernels.size(); ++k) CHECK(t.scratch[k] == pass::padded(kernels[k].head.scratch));
}

TEST_CASE("the parts of a join have one buffer, with several writers") {
  graph from;
  term const x = input(from, element::f64, make_shape(6, 6), 0);
  shape const whole = make_shape(12, 6);
  std::vector<term> const parts{embed(matmul(x, x), whole, region(0, 0)),
                                embed(matmul(x, transpose(x)), whole, region(0, 6))};
  from.outputs = {sum_of(parts).id};
  graph const g = pass::materialise(pass::assemble(from));
  pass::buffer_uses const t = pass::buffer_uses_of(g, pass::fuse(g));
  CHECK(t.writers.count(g.outputs[0]) == 2);
}

static_assert(pass::padded(0) == 0 && pass::padded(1) == 64 && pass::padded(64) == 64 && pass::padded(65) == 128);
