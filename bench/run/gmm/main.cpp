#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<gmm_problem::problem>(argc, argv); }
