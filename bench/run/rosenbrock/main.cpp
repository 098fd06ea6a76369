#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<rosenbrock<10>, rosenbrock<100>>(argc, argv); }
