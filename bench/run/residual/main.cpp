#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<residual<4>, residual<8>>(argc, argv); }
