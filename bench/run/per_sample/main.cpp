#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) {
  return bench::race<per_sample::results, per_sample::mean_gradient, per_sample::norms>(argc, argv);
}
