#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<mlp, mlp_of<1>, mlp_of<4>, mlp_of<16>, mlp_of<1024>>(argc, argv); }
