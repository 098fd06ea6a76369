#include <etch/compile/stages.hpp>

#include <doctest/doctest.h>

using namespace etch;
namespace stage = etch::detail::stage;

namespace {

/// tanh(x) y + x: nothing that a definition, a chain or a loop is needed for.
struct scalars {
  static constexpr auto value = freeze([] {
    graph g;
    term const x = input(g, element::f64, {}, 0), y = input(g, element::f64, {}, 1);
    g.outputs = {(tanh(x) * y + x).id};
    return g;
  });
};
/// a (b c) as (a b) c, where c is a column.
struct chain {
  static constexpr auto value = freeze([] {
    graph g;
    term const a = input(g, element::f64, make_shape(8, 8), 0), b = input(g, element::f64, make_shape(8, 8), 1),
               c = input(g, element::f64, make_shape(8, 1), 2);
    g.outputs = {matmul(matmul(a, b), c).id};
    return g;
  });
};
/// A composite.
struct soft {
  static constexpr auto value = freeze([] {
    graph g;
    g.outputs = {emit<op::logsumexp>(1, input(g, element::f64, make_shape(4), 0)).id};
    return g;
  });
};

using optional_stages = stage::list<stage::batch_maps, stage::expand, stage::fuse_maps, stage::hoist,
                                    stage::contract_sums, stage::factor_sums, stage::reassociate, stage::join_products,
                                    stage::defer_products, stage::split_at_joins>;

template <class Graph>
constexpr bool has(opcode op) {
  for (node const& n : Graph::value.nodes)
    if (n.op == op) return true;
  return false;
}

}  // namespace

// A stage that would change nothing leaves the constant that there is.
static_assert(std::is_same_v<stage::through<scalars, optional_stages>, scalars>);
static_assert(std::is_same_v<stage::through<chain, stage::list<stage::expand>>, chain> ==
              !stage::expand::is_worth(chain::value));
static_assert(!std::is_same_v<stage::through<chain, stage::list<stage::reassociate>>, chain>);
static_assert(!std::is_same_v<stage::through<scalars, stage::before>, scalars>,
              "the order of nodes is always made canonical");

static_assert(has<soft>(opcode_of<op::logsumexp>) &&
              !has<stage::through<soft, stage::after>>(opcode_of<op::logsumexp>));

TEST_CASE("stages run one after the other, each on the graph that the one before left") {
  using through =
      stage::through<chain, stage::list<stage::canonical, stage::simplify, stage::reassociate, stage::prune>>;
  graph const expected = pass::prune(pass::reassociate(pass::simplify(pass::canonical(chain::value))));
  CHECK(through::value.nodes.size() == expected.nodes.size());
  for (int id = 0; id < expected.size(); ++id) {
    CHECK(through::value.view()[id].op == expected[id].op);
    CHECK(through::value.view()[id].extent == expected[id].extent);
  }
  CHECK(stage::reassociate::is_worth(chain::value));  // two products of a matrix with a column
  CHECK(expected[expected.outputs[0]].extent == make_shape(8, 1));
}
