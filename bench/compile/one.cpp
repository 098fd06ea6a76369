// A program of FAMILY and a call of it. With COUNT_NODES a program that prints how many nodes value and gradient have.
#include "families.hpp"

#ifdef COUNT_NODES
#include <cstdio>
int main() { std::printf("%d\n", families::FAMILY::program::facts.nodes); }
#else
auto* call = &families::FAMILY::call;
#endif
