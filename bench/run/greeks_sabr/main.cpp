#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<greeks_sabr::problem, greeks_sabr::price>(argc, argv); }
