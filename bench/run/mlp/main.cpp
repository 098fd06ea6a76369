#include "../race.hpp"
#include "problem.hpp"

template <class... Batch>
struct all {
  static int race(int argc, char** argv) { return bench::race<Batch...>(argc, argv); }
};

int main(int argc, char** argv) { return with_batches<all>::race(argc, argv); }
