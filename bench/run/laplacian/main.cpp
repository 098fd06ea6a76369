#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::race<laplacian_problem::problem, laplacian_problem::gradient_problem>(argc, argv);
}
