#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<resnet>(argc, argv); }
