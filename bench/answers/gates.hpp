// gates: what the steps of a recurrent program do with the gates, which are slices of a
// product: read off the compiled program.
#pragma once

#include "../run/gru/loss.hpp"
#include "../run/lstm/loss.hpp"

namespace gates {

/// The parts of one step of a loop.
struct step_contents {
  int kernels = 0, products = 0;
  int gate_loops = 0;                 ///< element-wise loops over memory, other than those that only sum
  int copied_slices = 0;              ///< copies of a view of a computed value, which a slice of a product is
  int bare_copies = 0;                ///< loops that copy and do nothing else
  int joined = 0;                     ///< buffers that are put together from slices, adjoints of gates side by side
  int parts = 0, parts_in_place = 0;  ///< the slices that they consist of; those that are written where they belong
};

/// Of the steps of loop `Loop` of `Program`, in the order in which they run.
template <class Program, int Loop>
consteval step_contents contents_of_step() {
  using namespace etch;
  using body = run::executable_of<pass::packed_body<typename Program::executable, Loop>()>;
  graph_view const g = body::materialised;
  sequence<pass::kernel> const kernels = run::kernels_of<body>();
  step_contents c;
  c.kernels = static_cast<int>(kernels.size());
  sequence<char> written = sequence<char>::zeros(g.nodes.size());
  for (pass::kernel const& k : kernels) {
    bool only_copies = k.code.size() > 0;
    for (pass::instruction const& i : k.code) only_copies = only_copies && i.op == opcode_of<op::copy>;
    bool const is_loop = k.head.computes == pass::form::elementwise;
    c.products += k.head.computes == pass::form::product;
    c.gate_loops += is_loop && k.code.size() > 0;
    c.bare_copies += is_loop && only_copies;
    for (pass::result const& r : k.results) written[static_cast<std::size_t>(r.node)] = 1;
  }
  for (int id = 0; id < g.size(); ++id) {
    pass::node_facts const& v = body::values[static_cast<std::size_t>(id)];
    if (g[id].op == opcode_of<op::copy>) {
      int const from = g.operands(id)[0];
      pass::node_facts const& of = body::values[static_cast<std::size_t>(from)];
      c.copied_slices += of.root != from && body::values[static_cast<std::size_t>(of.root)].computed;
    }
    if (!v.joined) continue;
    ++c.joined;
    for (int part : g.operands(id)) {
      int const root =
          body::values[static_cast<std::size_t>(part)].root;  // what is computed, behind its place in the whole
      int const source = root == part ? g.operands(part)[0] : root;
      ++c.parts;
      c.parts_in_place +=
          written[static_cast<std::size_t>(source)] && body::values[static_cast<std::size_t>(source)].owner == id;
    }
  }
  return c;
}

using lstm_program = decltype(etch::compile(lstm_loss::loss<256>, std::array<lstm_layer<float>, 2>{},
                                            etch::tensor<float, 64, 256, 16>{}));
using gru_program =
    decltype(etch::compile(gru_loss::loss<256>, std::array<gru_layer<float>, 2>{}, etch::tensor<float, 64, 256, 16>{}));

/// Steps there, and steps back.
template <class Program>
constexpr step_contents there = contents_of_step<Program, 0>();
template <class Program>
constexpr step_contents back = contents_of_step<Program, 1>();

}  // namespace gates
