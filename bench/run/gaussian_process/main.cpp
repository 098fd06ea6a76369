#include "../race.hpp"
#include "problem.hpp"

int main(int argc, char** argv) { return bench::race<gaussian_process::problem>(argc, argv); }
