// Derivatives by the library's own rules: the graph of an op, differentiated and evaluated node by node.
#include "library.hpp"

#include <etch/op/table.hpp>
#include <etch/rewrite/differentiate.hpp>
#include <etch/rewrite/expand.hpp>
#include <etch/rewrite/prune.hpp>
#include <etch/machine/interpret.hpp>

#include <stdexcept>

namespace accuracy {

template <class T>
std::vector<std::vector<double>> slopes(std::string const& name, std::vector<std::vector<double>> const& x,
                                        bool precise) {
  using namespace etch;
  opcode code = 0;
  while (code < op::list::size && name != op_table[code].name) ++code;
  if (code == op::list::size) throw std::invalid_argument("no op is called " + name);
  node prototype;
  prototype.op = code;
  prototype.type = element_of<T>;
  graph g;
  std::vector<int> leaves;
  shape const extent = make_shape(static_cast<int>(x[0].size()));
  for (std::size_t i = 0; i < x.size(); ++i) leaves.push_back(input(g, prototype.type, extent, static_cast<int>(i)).id);
  term const y = rule_table[code].insert(g, prototype, leaves);
  g.outputs = {emit<op::sum>(op::reduction::whole, y).id};
  auto results = run::interpret(pass::prune(pass::expand(pass::differentiate(g, leaves, precise))), x);
  results.erase(results.begin());
  return results;
}
template std::vector<std::vector<double>> slopes<float>(std::string const&, std::vector<std::vector<double>> const&,
                                                        bool);
template std::vector<std::vector<double>> slopes<double>(std::string const&, std::vector<std::vector<double>> const&,
                                                         bool);

}  // namespace accuracy
