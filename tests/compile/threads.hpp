// threads: workers of a shared program for tests: threads of their own, and one thread that takes the parts backwards.
#pragma once

#include <array>
#include <cstddef>
#include <thread>

namespace test_workers {

/// A new thread for each part.
struct threads {
  template <int N>
  static void each(auto const& part) {
    std::array<std::thread, N> all;
    for (int worker = 0; worker < N; ++worker)
      all[static_cast<std::size_t>(worker)] = std::thread([&part, worker] { part(worker); });
    for (std::thread& each : all) each.join();
  }
};

struct backwards {
  template <int N>
  static void each(auto const& part) {
    for (int worker = N; worker-- > 0;) part(worker);
  }
};

}  // namespace test_workers
