// products: matrix products of fixed shape, alone.
#pragma once

#include "../rival.hpp"

#include <etch/core/tensor.hpp>
#include <etch/nn/random.hpp>

#include <array>

/// How the first operand of a product is given, and the second.
enum class form { plain, first_transposed, second_transposed };

template <class T, int M, int N, int K, form Form>
struct product_of {
  using scalar = T;
  static constexpr int m = M, n = N, k = K;
  static constexpr form how = Form;
  static constexpr auto unit = benchmark::kMicrosecond;
  static constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
  static constexpr double flops = 2.0 * M * N * K;

  using left = std::conditional_t<Form == form::first_transposed, etch::tensor<T, K, M>, etch::tensor<T, M, K>>;
  using right = std::conditional_t<Form == form::second_transposed, etch::tensor<T, N, K>, etch::tensor<T, K, N>>;
  using answer = etch::tensor<T, M, N>;

  struct inputs {
    left a;
    right b;
  };
  /// Where a rival has put the product.
  struct gradient {
    answer const* product = nullptr;
  };
  static void visit(gradient const& g, auto f) {
    if (g.product != nullptr) f(g.product->data(), g.product->size());
  }

  static void fill(inputs& i) {
    etch::nn::generator random(1);
    for (T& e : i.a) e = static_cast<T>(random.normal());
    for (T& e : i.b) e = static_cast<T>(random.normal());
  }
};

struct forward : product_of<float, 32, 128, 784, form::plain> {
  static constexpr char name[] = "W x, 32×784×128";
};
struct weights : product_of<float, 32, 784, 128, form::second_transposed> {
  static constexpr char name[] = "dz xᵀ, 32×128×784";
};
struct odd_forward : product_of<float, 33, 129, 783, form::plain> {
  static constexpr char name[] = "W x, 33×783×129";
};
struct odd_weights : product_of<float, 33, 783, 129, form::second_transposed> {
  static constexpr char name[] = "dz xᵀ, 33×129×783";
};
struct gates : product_of<float, 256, 256, 64, form::plain> {
  static constexpr char name[] = "256×64×256";
};
struct states : product_of<float, 64, 256, 256, form::first_transposed> {
  static constexpr char name[] = "Wᵀ dz, 64×256×256";
};
struct layer : product_of<float, 120, 128, 256, form::plain> {
  static constexpr char name[] = "120×256×128";
};
struct convolution : product_of<float, 16, 8192, 150, form::plain> {
  static constexpr char name[] = "16×150×8192";
};
struct cube : product_of<float, 512, 512, 512, form::plain> {
  static constexpr char name[] = "512×512×512";
};
struct far_forward : product_of<float, 3072, 256, 768, form::plain> {
  static constexpr char name[] = "W x, 3072×768×256";
};
struct far_weights : product_of<float, 3072, 768, 256, form::second_transposed> {
  static constexpr char name[] = "dz xᵀ, 3072×256×768";
};
struct wide : product_of<double, 512, 4096, 256, form::plain> {
  static constexpr char name[] = "double 512×256×4096";
};
struct large : product_of<double, 1000, 1000, 1000, form::plain> {
  static constexpr char name[] = "double 1000×1000×1000";
};

/// `F<product>...` for all of them.
template <template <class...> class F>
using with_products = F<forward, weights, odd_forward, odd_weights, gates, states, layer, convolution, cube,
                        far_forward, far_weights, wide, large>;

/// Enters a rival for every product that `By::multiply<product>(inputs, answer)` can do, as `By::name`.
template <class By>
class enter {
  template <class P>
  struct one {
    static inline typename P::answer product;
    static inline bench::rival<P> const here{By::name, [](typename P::inputs const& i, typename P::gradient& to) {
                                               By::template multiply<P>(i, product);
                                               to.product = &product;
                                               return 0.0;
                                             }};
  };
  template <class... P>
  struct all {
    std::array<void const*, sizeof...(P)> entered{[]() -> void const* {
      if constexpr (requires(typename P::inputs const& i, typename P::answer& c) { By::template multiply<P>(i, c); })
        return &one<P>::here;
      else return nullptr;
    }()...};
  };
  with_products<all> entered;
};
