#include <etch/view/leaf_names.hpp>

#include <etch/nn/dense.hpp>
#include <etch/nn/function.hpp>
#include <etch/nn/sequential.hpp>
#include <etch/compile/trace.hpp>

#include <doctest/doctest.h>

using namespace etch;

namespace {

template <class T>
struct network {
  std::array<nn::dense<T, 2, 2>, 2> layers;
  T scale;
  ETCH_MEMBERS(network, layers, scale)
};

template <class... A>
std::string paths() {
  std::string text;
  for (leaf_name const& each : leaf_names<A...>()) text += each.path + (each.has_gradient ? " " : " (no gradient) ");
  return text;
}

}  // namespace

TEST_CASE("a leaf is named by its argument's position, members and indices") {
  CHECK(paths<tensor<float, 3>, double>() == "0 1 ");
  CHECK(paths<network<float>>() == "0.layers[0].weight 0.layers[0].bias 0.layers[1].weight 0.layers[1].bias 0.scale ");
  CHECK(paths<double, std::tuple<Eigen::Vector3d, std::array<float, 2>>>() == "0 1[0] 1[1][0] 1[1][1] ");
}

TEST_CASE("a layer without parameters has no leaf") {
  CHECK(paths<nn::sequential<float, nn::activation::tanh, nn::dense<float, 2, 2>>>() ==
        "0.layers[1].weight 0.layers[1].bias ");
}

TEST_CASE("integers have no gradient") {
  CHECK(paths<tensor<int, 3>, float, Eigen::Vector2i>() == "0 (no gradient) 1 2 (no gradient) ");
}

TEST_CASE("there are as many names as leaves") {
  using many = std::tuple<network<double>, Eigen::Matrix<float, 2, 2, Eigen::RowMajor>, bool>;
  CHECK(leaf_names<many>().size() == static_cast<std::size_t>(pass::leaf_count<many>()));
}
