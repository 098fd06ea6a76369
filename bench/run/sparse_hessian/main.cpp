#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<chain_of_valleys::problem>(argc, argv); }
