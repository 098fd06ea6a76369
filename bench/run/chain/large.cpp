#include "large.hpp"

#include <etch/nn/random.hpp>

#include <algorithm>
#include <cmath>

namespace large_chain {

template <int D>
void fill(matrix<D>& x, matrix<D>& z) {
  etch::nn::generator random(1);
  for (double& e : x) e = random.normal() / std::sqrt(D);
  for (double& e : z) e = random.normal();
}

template <int D>
double disagreement(matrix<D> const& a, matrix<D> const& b) {
  double scale = 0, distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    scale = std::max(scale, std::abs(a[i]));
    distance = std::max(distance, std::abs(a[i] - b[i]));
  }
  return distance / scale;
}

template void fill<1000>(matrix<1000>&, matrix<1000>&);
template double disagreement<1000>(matrix<1000> const&, matrix<1000> const&);

}  // namespace large_chain
