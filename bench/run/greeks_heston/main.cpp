#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<greeks_heston::problem, greeks_heston::price>(argc, argv); }
