#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<sum_squares_problem::problem>(argc, argv); }
