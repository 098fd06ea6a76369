#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<black_scholes_problem::problem>(argc, argv); }
