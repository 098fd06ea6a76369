// progress: how far the training is. A bar on a terminal, a line for each epoch elsewhere; it allocates nothing.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>

class progress {
 public:
  progress(int epochs, int steps, int batch) : epochs_(epochs), steps_(steps), batch_(batch) {}

  /// To be called after each step, with its loss.
  void step(double loss) {
    ++done_;
    int const position = static_cast<int>((done_ - 1) % steps_) + 1;  // of this step in its epoch, from 1
    loss_ = position == 1 ? loss : loss_ + (loss - loss_) / position;
    if (is_terminal_) draw_bar(done_ == total());
    else if (position == steps_)
      std::printf("epoch %2d/%d: loss %#.4g, %.0f images/s\n", epoch(), epochs_, loss_, rate());
  }

 private:
  using clock = std::chrono::steady_clock;

  int epochs_, steps_, batch_;
  bool is_terminal_ = isatty(STDOUT_FILENO) == 1;
  clock::time_point start_ = clock::now(), drawn_ = start_;
  long done_ = 0;
  double loss_ = 0;  // mean of the epoch so far

  long total() const { return static_cast<long>(epochs_) * steps_; }
  int epoch() const { return static_cast<int>((done_ - 1) / steps_) + 1; }
  double elapsed() const { return std::chrono::duration<double>(clock::now() - start_).count(); }
  double rate() const { return static_cast<double>(done_) * batch_ / elapsed(); }

  void draw_bar(bool is_last) {
    clock::time_point const now = clock::now();
    if (!is_last && now - drawn_ < std::chrono::milliseconds(50)) return;
    drawn_ = now;
    constexpr int width = 20;
    constexpr char full[] = "====================";
    static_assert(sizeof full == width + 1);
    int const filled = static_cast<int>(width * done_ / total());
    double const left = elapsed() / static_cast<double>(done_) * static_cast<double>(total() - done_);
    std::printf("\r[%-*.*s] %d/%d  loss %#.4g  %.0f images/s  %.1f s left\033[K", width, filled, full, epoch(), epochs_,
                loss_, rate(), left);
    if (is_last) std::printf("\n");
    std::fflush(stdout);
  }
};
