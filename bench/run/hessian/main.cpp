#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::race<helmholtz::hessian_problem, helmholtz::product_problem>(argc, argv);
}
