// to_svg: the memory plan of a compiled program as a picture: kernels run to the right,
// bytes go up, every buffer is a box.
#pragma once

#include <etch/view/rounded.hpp>
#include <etch/view/value_names.hpp>

ETCH_NAMESPACE_BEGIN

/// The text of one box of a memory picture.
struct box_caption {
  std::string label;       ///< written into the box where there is room
  std::string title;       ///< shown where the pointer rests
  std::string kind;        ///< `forward`, `saved`, `backward`, `scratch`: its colour
  std::string name;        ///< written where the label has no room
  std::string attributes;  ///< further ones of its element, ` id="b"`
};

namespace detail {

/// Text in which no character is markup.
inline std::string escaped(std::string const& text) {
  std::string safe;
  for (char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else safe += c;
  }
  return safe;
}

/// The picture of a map. All coordinates are whole tenths of a pixel, so that every machine writes the same text.
class memory_picture {
 public:
  memory_picture(memory_map_view map, memory_bounds bounds) : map_(map), bounds_(bounds) {
    int const kernels = std::max(map.kernels, 1);
    step_ = std::clamp(9000 / kernels, 20, 1400);
    width_ = std::max(left + kernels * step_ + right, 6400);
    top_bytes_ = std::max({map.bytes, bounds.live, std::int64_t{1}});
    fits_ = bounds.unplanned <= 2 * top_bytes_;
    if (fits_) top_bytes_ = std::max(top_bytes_, bounds.unplanned);
  }

  /// As a file of its own, or within a page.
  std::string draw(std::string const& heading, std::vector<box_caption> const& captions, bool is_file = true) const {
    std::string text = "<svg class=\"memory\"" + std::string(is_file ? " xmlns=\"http://www.w3.org/2000/svg\"" : "") +
                       " viewBox=\"0 0 " + px(width_) + " " + px(bottom + 520) + "\" width=\"" + px(width_) +
                       "\" height=\"" + px(bottom + 520) + "\" role=\"img\">\n";
    text += "<title>" + escaped(heading) + "</title>\n" + style;
    text += label(left, 220, "heading", heading) + legend() + axes();
    for (std::size_t i = 0; i < map_.boxes.size(); ++i) text += box(map_.boxes[i], captions[i]);
    return text + levels() + "</svg>\n";
  }

 private:
  static constexpr int left = 760, right = 160, top = 920, bottom = 5000;  // of the drawing, in tenths of a pixel
  // Colours read on light and on dark paper, since nobody knows on which a picture in a page stands.
  static constexpr auto style =
      "<style>\n"
      ".memory text { font: 12px sans-serif; fill: #767c85; stroke: none; } .memory .heading { font-size: 14px; } "
      ".memory .in { font-size: 11px; fill: #111; }\n"
      ".memory .grid { stroke: #8883; } .memory .axis { stroke: #767c85; }\n"
      ".memory rect { stroke: #555; stroke-width: 0.6; }\n"
      ".memory .forward { fill: #a9cdf0; } .memory .saved { fill: #f5c767; } .memory .backward { fill: #a8d8a3; } "
      ".memory .scratch { fill: #cfcfcf; }\n"
      ".memory line.live, .memory line.unplanned { stroke-width: 1.5; stroke-dasharray: 6 3; }\n"
      ".memory line.live { stroke: #d0418f; } .memory line.unplanned { stroke: #c2631f; }\n"
      ".memory text.live { fill: #d0418f; } .memory text.unplanned { fill: #c2631f; }\n"
      "</style>\n";

  memory_map_view map_;
  memory_bounds bounds_;
  int step_, width_;  // in tenths of a pixel
  std::int64_t top_bytes_;
  bool fits_;  // the line of unplanned memory into the drawing

  static std::string px(std::int64_t tenths) { return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10); }
  std::int64_t height(std::int64_t bytes) const { return bottom - bytes * (bottom - top) / top_bytes_; }
  static std::string label(std::int64_t x, std::int64_t y, char const* kind, std::string const& text,
                           char const* anchor = "start") {
    return "<text class=\"" + std::string(kind) + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor +
           "\">" + escaped(text) + "</text>\n";
  }
  static std::string line(char const* kind, std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2) {
    return "<line class=\"" + std::string(kind) + "\" x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) +
           "\" y2=\"" + px(y2) + "\"/>\n";
  }

  std::string legend() const {
    std::string text;
    std::int64_t x = left;
    for (auto const& [kind, meaning] : {std::pair{"forward", "forward"},
                                        {"saved", "forward, saved for backward"},
                                        {"backward", "backward"},
                                        {"scratch", "packed operands, steps of loops"}}) {
      text +=
          "<rect class=\"" + std::string(kind) + "\" x=\"" + px(x) + "\" y=\"34.0\" width=\"12.0\" height=\"12.0\"/>\n";
      text += label(x + 170, 440, "key", meaning);
      x += 350 + 62 * static_cast<int>(std::string_view(meaning).size());
    }
    text += line("live", left, 600, left + 300, 600) +
            label(left + 360, 640, "live", "alive at once: " + rounded_bytes(bounds_.live));
    text += line("unplanned", left + 2600, 600, left + 2900, 600);
    return text + label(left + 2960, 640, "unplanned",
                        "without a plan: " + rounded_bytes(bounds_.unplanned) + (fits_ ? "" : ", above this picture"));
  }

  /// Ticks at multiples of a power of two of bytes, at most eight; kernels numbered, at most thirty.
  std::string axes() const {
    std::string text;
    std::int64_t tick = 64;
    while (top_bytes_ / tick > 8) tick *= 2;
    for (std::int64_t at = 0; at <= top_bytes_; at += tick) {
      text += line("grid", left, height(at), width_ - right, height(at));
      text += label(left - 60, height(at) + 40, "tick", rounded_bytes(at), "end");
    }
    int const every = (map_.kernels + 29) / 30;
    for (int k = 0; k < map_.kernels; k += every)
      text += label(left + k * step_ + step_ / 2, bottom + 160, "tick", std::to_string(k), "middle");
    text += line("axis", left, bottom, width_ - right, bottom) + line("axis", left, top, left, bottom);
    return text + label((left + width_ - right) / 2, bottom + 360, "axis-name",
                        "kernels, in the order in which they run", "middle");
  }

  /// A box from the start of its first kernel to the end of its last; from or to the middle where
  /// one buffer is written over another.
  std::string box(memory_box const& b, box_caption const& caption) const {
    std::int64_t const x = left + b.first * step_ + (b.takes_over ? step_ / 2 : 0);
    std::int64_t const end = left + (b.last + 1) * step_ - (b.is_overwritten ? step_ - step_ / 2 : 0);
    std::int64_t const y = height(b.offset + b.bytes), high = height(b.offset) - y, wide = end - x;
    std::string text = "<g" + caption.attributes + "><title>" + escaped(caption.title) + "</title><rect class=\"" +
                       caption.kind + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(wide) +
                       "\" height=\"" + px(high) + "\"/>";
    for (std::string const& each : {caption.label, caption.name}) {
      if (each.empty() || high < 120 || wide < 62 * static_cast<std::int64_t>(each.size()) + 60) continue;
      text += "<text class=\"in\" x=\"" + px(x + wide / 2) + "\" y=\"" + px(y + high / 2 + 35) +
              "\" text-anchor=\"middle\">" + escaped(each) + "</text>";
      break;
    }
    return text + "</g>\n";
  }

  std::string levels() const {
    std::int64_t const y = fits_ ? height(bounds_.unplanned) : top - 100;
    return line("live", left, height(bounds_.live), width_ - right, height(bounds_.live)) +
           line("unplanned", left, y, width_ - right, y);
  }
};

inline std::vector<box_caption> captions_of(anatomy const& a) {
  name_list const names = names_of_values(a);
  auto const statement = [&](int id) {
    return names[static_cast<std::size_t>(id)] + " = " + expression_of(a.graph, id, names) + " : " +
           kind_of(a.graph, id);
  };
  std::vector<box_caption> captions;
  for (memory_box const& b : a.memory.boxes) {
    std::string const size = rounded_bytes(b.bytes);
    std::string const life =
        size + " at " + std::to_string(b.offset) +
        (b.first == b.last ? ", kernel " + std::to_string(b.first)
                           : ", kernels " + std::to_string(b.first) + " to " + std::to_string(b.last));
    if (b.node < 0) {
      int const loop = loop_of_kernel(a, a.kernels[static_cast<std::size_t>(b.first)]);
      std::string const name = loop >= 0 ? "steps" : "packed";
      captions.push_back(
          {name + " " + size,
           (loop >= 0 ? statement(loop) + "\nwhat its steps need, in kernel " : "packed operands of kernel ") +
               std::to_string(b.first) + "\n" + life,
           "scratch", name, ""});
      continue;
    }
    shown_value const& v = a.values[static_cast<std::size_t>(b.node)];
    std::string const& name = names[static_cast<std::size_t>(b.node)];
    captions.push_back({name + " " + type_of(a.graph[b.node]) + " " + size, statement(b.node) + "\n" + life,
                        v.saved     ? "saved"
                        : v.forward ? "forward"
                                    : "backward",
                        name, ""});
  }
  return captions;
}

/// The line above the picture of a memory map.
inline std::string heading_of(memory_map_view map) {
  auto const counted = [](std::size_t n, std::string const& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return "workspace: " + rounded_bytes(map.bytes) + ", " + counted(map.boxes.size(), "buffer") + ", " +
         counted(static_cast<std::size_t>(map.kernels), "kernel");
}

}  // namespace detail

/// The picture of a memory map with a caption for every box.
inline std::string to_svg(memory_map_view map, memory_bounds bounds, std::vector<box_caption> const& captions) {
  return detail::memory_picture(map, bounds).draw(detail::heading_of(map), captions);
}

inline std::string to_svg(anatomy const& a) { return to_svg(a.memory, a.bounds, detail::captions_of(a)); }

/// The memory plan of a compiled program as an SVG file of its own.
template <compiled_program P>
std::string to_svg(P const& program) {
  return to_svg(anatomy_of(program));
}

ETCH_NAMESPACE_END
