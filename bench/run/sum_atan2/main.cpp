#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<sum_atan2_problem::problem>(argc, argv); }
