#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<greeks_libor::problem, greeks_libor::price>(argc, argv); }
