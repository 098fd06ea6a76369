// counted: a program whose own heap allocations are counted while an optimiser, which allocates, calls it.
#pragma once

#include "heap_count.hpp"

template <class Program>
struct counted {
  Program& program;
  long allocations = 0;

  auto operator()(auto const&... arguments) {
    long const before = heap::count();
    auto const value = program(arguments...);
    allocations += heap::count() - before;
    return value;
  }
  template <int I>
  auto const& grad() const {
    return program.template grad<I>();
  }
};
template <class Program>
counted(Program&) -> counted<Program>;
