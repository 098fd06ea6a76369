#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<greeks_xva::problem, greeks_xva::price>(argc, argv); }
