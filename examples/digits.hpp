// digits: a data set that needs no download. Each image is a digit drawn in strokes, randomly
// bent, turned and moved, with noise.
#pragma once

#include <etch/io/idx.hpp>
#include <etch/nn/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace digits {

inline constexpr int side = 28, classes = 10;

/// x to the right, y down; a glyph lies within about -0.65 ... 0.65 and -1 ... 1.
struct point {
  float x, y;
};
using stroke = std::vector<point>;  ///< joined by straight lines
using glyph = std::vector<stroke>;

/// Part of an ellipse, from one angle to another in degrees; 0 is right, 90 is down.
inline stroke arc(point centre, float rx, float ry, int from, int to) {
  constexpr int step = 15;
  stroke line;
  for (int angle = from; angle <= to; angle += step) {
    float const turn = static_cast<float>(angle) * std::numbers::pi_v<float> / 180;
    line.push_back({centre.x + rx * std::cos(turn), centre.y + ry * std::sin(turn)});
  }
  return line;
}

inline std::array<glyph, classes> const& glyphs() {
  static std::array<glyph, classes> const all{{
      {arc({0, 0}, 0.65f, 1, 0, 360)},
      {{{-0.35f, -0.6f}, {0.05f, -1}, {0.05f, 1}}},
      {arc({0, -0.45f}, 0.6f, 0.55f, 180, 390), {{0.52f, -0.18f}, {-0.65f, 1}, {0.65f, 1}}},
      {arc({0, -0.5f}, 0.55f, 0.5f, 195, 450), arc({0, 0.5f}, 0.62f, 0.5f, 270, 525)},
      {{{0.3f, 1}, {0.3f, -1}, {-0.65f, 0.4f}, {0.7f, 0.4f}}},
      {{{0.55f, -1}, {-0.45f, -1}, {-0.42f, -0.09f}}, arc({0, 0.35f}, 0.6f, 0.62f, 225, 510)},
      {arc({0, 0.42f}, 0.55f, 0.56f, 0, 360), arc({0.45f, 0.42f}, 1, 1.42f, 180, 270)},
      {{{-0.6f, -1}, {0.6f, -1}, {-0.2f, 1}}},
      {arc({0, -0.5f}, 0.5f, 0.48f, 0, 360), arc({0, 0.5f}, 0.6f, 0.5f, 0, 360)},
      {arc({0, -0.42f}, 0.55f, 0.56f, 0, 360), arc({-0.45f, -0.42f}, 1, 1.42f, 0, 90)},
  }};
  return all;
}

/// How one image differs from its glyph.
struct hand {
  float width, height, bend, slant, turn, right, down, thickness, ink, noise;

  explicit hand(etch::nn::generator& random) {
    auto const between = [&](double low, double high) { return static_cast<float>(random.uniform(low, high)); };
    width = between(5.5, 9.5);
    height = between(7, 10);
    bend = between(-0.25, 0.25);
    slant = between(-0.3, 0.3);
    turn = between(-0.3, 0.3);
    right = between(-2.5, 2.5);
    down = between(-2.5, 2.5);
    thickness = between(1.2, 3.4);
    ink = between(0.7, 1);
    noise = between(0, 0.35);
  }

  /// The pixel where a point of the glyph comes to lie.
  point place(point p) const {
    float const x = width * (p.x + bend * p.y * p.y - slant * p.y), y = height * p.y, middle = side / 2.0f;
    float const c = std::cos(turn), s = std::sin(turn);
    return {middle + right + c * x - s * y, middle + down + s * x + c * y};
  }
};

inline float distance(point p, point a, point b) {
  float const dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
  float const along = squared > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

using canvas = std::array<float, std::size_t{side} * side>;  ///< row by row, 0 is paper and 1 is ink

/// Covers the pixels near the line from a to b; those on its edge in part, by their distance.
inline void draw_line(canvas& on, point a, point b, float thickness) {
  float const reach = thickness / 2 + 0.5f;
  auto const first = [&](float u, float v) {
    return std::max(0, static_cast<int>(std::floor(std::min(u, v) - reach)));
  };
  auto const last = [&](float u, float v) {
    return std::min(side - 1, static_cast<int>(std::ceil(std::max(u, v) + reach)));
  };
  for (int row = first(a.y, b.y); row <= last(a.y, b.y); ++row)
    for (int column = first(a.x, b.x); column <= last(a.x, b.x); ++column) {
      point const centre{static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f};
      float& pixel = on[static_cast<std::size_t>(row * side + column)];
      pixel = std::max(pixel, std::clamp(reach - distance(centre, a, b), 0.0f, 1.0f));
    }
}

inline canvas draw(glyph const& of, hand const& by) {
  canvas on{};
  for (stroke const& line : of)
    for (std::size_t i = 1; i < line.size(); ++i) draw_line(on, by.place(line[i - 1]), by.place(line[i]), by.thickness);
  return on;
}

/// Images `first` to `first + count - 1` of an endless series, the digits in random order. Image i depends on i alone.
inline etch::io::labelled_images draw_images(int first, int count) {
  constexpr std::uint64_t seed = 28;
  etch::io::labelled_images set{count, side, side, {}, {}};
  set.pixels.reserve(static_cast<std::size_t>(count) * side * side);
  for (int i = 0; i < count; ++i) {
    etch::nn::generator random(seed, static_cast<std::uint64_t>(first + i));
    std::uint32_t const digit = random.below(classes);
    hand const by(random);
    for (float const pixel : draw(glyphs()[digit], by)) {
      float const grey = by.ink * pixel + by.noise * static_cast<float>(random.uniform(-1, 1));
      set.pixels.push_back(static_cast<std::uint8_t>(255 * std::clamp(grey, 0.0f, 1.0f) + 0.5f));
    }
    set.labels.push_back(static_cast<std::uint8_t>(digit));
  }
  return set;
}

}  // namespace digits
