#include "../race.hpp"
#include "problem.hpp"

template <class... Product>
struct all {
  static int race(int argc, char** argv) { return bench::race<Product...>(argc, argv); }
};

int main(int argc, char** argv) { return with_products<all>::race(argc, argv); }
