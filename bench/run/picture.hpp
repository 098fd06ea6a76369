// Memory over time as a table and as a picture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace bench {

struct sample {
  double seconds = 0, bytes = 0;
};
using curve = std::vector<sample>;

struct named_curve {
  std::string name;
  bool dashed = false;
  curve samples;
};

/// Writes <path>.csv and <path>.svg.
inline void write_picture(std::vector<named_curve> const& curves, std::string const& path) {
  constexpr int left = 70, top = 30, width = 720, height = 400;
  constexpr double mebibyte = 1 << 20;
  double seconds = 0, bytes = 0;
  std::ofstream csv(path + ".csv"), svg(path + ".svg");
  csv << "program,seconds,resident bytes\n";
  for (named_curve const& c : curves)
    for (sample const& s : c.samples) {
      csv << '"' << c.name << "\"," << s.seconds << ',' << static_cast<long long>(s.bytes) << '\n';
      seconds = std::max(seconds, s.seconds), bytes = std::max(bytes, s.bytes);
    }
  // About ten lines each way: 1, 2 or 5 times a power of ten apart.
  auto const apart = [](double most) {
    double const power = std::pow(10, std::floor(std::log10(most / 10)));
    return power * (most > 50 * power ? 10 : most > 20 * power ? 5 : most > 10 * power ? 2 : 1);
  };
  double const tick = apart(seconds), line = mebibyte * apart(bytes / mebibyte);
  seconds = tick * std::ceil(seconds / tick), bytes = line * std::ceil(bytes / line);

  std::vector<char> buffer(256);
  auto const print = [&](char const* format, auto... values) {
    std::snprintf(buffer.data(), buffer.size(), format, values...);
    svg << buffer.data();
  };
  auto const at_time = [&](double s) { return left + width * s / seconds; };
  auto const at_bytes = [&](double b) { return top + height * (1 - b / bytes); };
  print("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n",
        left + width + 170, top + height + 50);
  svg << "<rect width='100%' height='100%' fill='white'/>\n";
  for (double b = 0; b < bytes + line / 2; b += line) {
    print("<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/>", left, left + width, at_bytes(b), at_bytes(b));
    print("<text x='%d' y='%.1f' text-anchor='end'>%.0f</text>\n", left - 6, at_bytes(b) + 4, b / mebibyte);
  }
  for (double s = 0; s < seconds + tick / 2; s += tick)
    print("<text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n", at_time(s), top + height + 18, s);
  print("<text x='%d' y='%d'>resident memory, MiB</text>\n", left, top - 12);
  print("<text x='%d' y='%d' text-anchor='middle'>seconds</text>\n", left + width / 2, top + height + 38);
  for (named_curve const& c : curves) {
    print("<polyline fill='none' stroke='%s' stroke-width='1.5'%s points='", c.dashed ? "#d0602a" : "#2060b0",
          c.dashed ? " stroke-dasharray='5 3'" : "");
    for (sample const& s : c.samples) print("%.1f,%.1f ", at_time(s.seconds), at_bytes(s.bytes));
    svg << "'/>\n";
    sample const end = c.samples.back();
    svg << "<text font-size='10' fill='" << (c.dashed ? "#d0602a" : "#2060b0");
    print("' x='%.1f' y='%.1f'>", at_time(end.seconds) + 4, at_bytes(end.bytes) + (c.dashed ? 12 : -2));
    svg << c.name << "</text>\n";
  }
  svg << "</svg>\n";
}

}  // namespace bench
