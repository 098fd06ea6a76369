// graph_picture: a program's kernels as boxes around the values that they compute: forward on the left, downward,
// backward on the right, upward, so that each step back stands beside what it differentiates.
#pragma once

#include <etch/view/outline.hpp>
#include <etch/view/svg.hpp>

ETCH_NAMESPACE_BEGIN
namespace detail {

/// The subjects of an element of a page, for its script: elements that share a word are lit together.
inline std::string link_of(stated_value const& v) {
  return "v" + v.key + (v.box >= 0 ? " b" + std::to_string(v.box) : "");
}
inline std::string link_of(outline const& o, std::size_t kernel) {
  std::string link = "k" + std::to_string(kernel);
  for (int id : o.kernels[kernel].values) link += " " + link_of(o.values[static_cast<std::size_t>(id)]);
  return link;
}
/// At most `most` characters of a text.
inline std::string cut(std::string const& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 1) + "…";
}

/// The picture, in whole pixels. `collapsed`, a kernel is one box without its values.
class graph_picture {
 public:
  graph_picture(outline const& o, bool collapsed) : o_(o), collapsed_(collapsed) {
    for (stated_kernel const& k : o.kernels) two_sides_ = two_sides_ || k.backward;
    at_.assign(o.values.size(), {});
    in_.resize(o.kernels.size());
  }

  std::string draw() {
    std::string boxes = arguments();
    int const top = y_ + 34;
    std::size_t const last = last_rows_from();
    auto const is_below = [&](std::size_t k) { return o_.kernels[k].forward && (o_.kernels[k].backward || k >= last); };
    int forward = top, backward = top, below = 0;
    for (std::size_t k = 0; k < o_.kernels.size(); ++k)
      if (!is_below(k)) (o_.kernels[k].forward ? forward : backward) += height(k) + between;
    int const meet = std::max(forward, backward);
    forward = top, backward = meet, below = meet + 6;
    for (std::size_t k = 0; k < o_.kernels.size(); ++k) {
      stated_kernel const& kernel = o_.kernels[k];
      int const high = height(k);
      if (!kernel.forward) backward -= high + between;
      int& y = is_below(k) ? below : kernel.forward ? forward : backward;
      boxes += box(k, y, high);
      if (kernel.forward) y += high + between;
    }
    std::string const head = heading(left, top, two_sides_ ? "forward, downward" : "forward") +
                             (two_sides_ ? heading(right(), top, "backward, upward") : "");
    std::string const wide = std::to_string(width()), high = std::to_string(std::max(below, meet) + 6);
    return "<svg class=\"graph\" viewBox=\"0 0 " + wide + " " + high + "\" width=\"" + wide + "\" height=\"" + high +
           "\" role=\"group\" aria-label=\"Kernels and the values that they compute; the table of statements says the "
           "same\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
           "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 "
           "8z\"/></marker></defs>\n" +
           head + boxes + edges() + "</svg>\n";
  }

 private:
  static constexpr int left = 40, column = 310, gap = 120, title = 26, chip = 48, step = 30, between = 14;
  struct spot {
    int x = 0, y = 0, wide = 0, high = 0;
    bool drawn = false, forward = false;
    std::size_t kernel = 0;
  };

  outline const& o_;
  bool collapsed_, two_sides_ = false;
  int y_ = 0;
  std::vector<spot> at_;               // of values, in the first kernel that computes each
  std::vector<std::vector<spot>> in_;  // of the values of each kernel

  int right() const { return left + column + gap; }
  int width() const { return two_sides_ ? right() + column + left : left + column + left; }
  static std::string number(int n) { return std::to_string(n); }
  static std::string text(int x, int y, char const* kind, std::string const& words) {
    return "<text class=\"" + std::string(kind) + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" +
           escaped(words) + "</text>";
  }
  static std::string rectangle(char const* kind, int x, int y, int wide, int high) {
    return "<rect class=\"" + std::string(kind) + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
           number(wide) + "\" height=\"" + number(high) + "\" rx=\"4\"/>";
  }
  static std::string heading(int x, int top, char const* words) { return text(x, top - 12, "side", words) + "\n"; }

  /// A link to a statement, as a box with its name.
  static std::string chip_of(stated_value const& v, int x, int y, int wide, int high, bool first) {
    std::size_t const room = static_cast<std::size_t>(wide - 16) * 10 / 72;
    std::string const type = cut(v.type, room / 2);
    std::string const name = first ? v.name : v.name + ", again";
    std::string made = "<a href=\"#statement-" + v.key + "\"" + (first ? " id=\"node-" + v.key + "\"" : "") +
                       " data-link=\"" + link_of(v) + "\"><title>" +
                       escaped(v.name + (v.expression.empty() ? "" : " = " + v.expression) + " : " + v.type) + "\n" +
                       escaped(v.place + (v.kind == "saved" ? ", saved for the gradients" : "")) + "</title>" +
                       rectangle(v.kind.c_str(), x, y, wide, high) +
                       text(x + 8, y + 15, "name", cut(name, room - type.size() - 1)) +
                       text(x + wide - 8, y + 15, "type", type);
    if (high >= 36) {
      std::size_t const small = static_cast<std::size_t>(wide - 16) * 10 / 62;
      made += text(x + 8, y + 30, "of", cut(v.expression, v.kind == "saved" ? small - 7 : small));
      if (v.kind == "saved") made += text(x + wide - 8, y + 30, "mark", "saved");
    }
    return made + "</a>\n";
  }

  /// The first kernel behind all that compute for both sides, if few forward ones follow: they stand below them.
  std::size_t last_rows_from() const {
    std::size_t last = 0, forward = 0, after = 0;
    for (std::size_t k = 0; k < o_.kernels.size(); ++k) {
      bool const both = o_.kernels[k].forward && o_.kernels[k].backward;
      if (both) last = k, after = 0;
      else if (o_.kernels[k].forward) ++forward, ++after;
    }
    return two_sides_ && 2 * after <= forward ? last : o_.kernels.size();
  }

  /// Arguments, two in a row or one.
  std::string arguments() {
    std::vector<int> given;
    for (stated_value const& v : o_.values)
      if (v.kind == "given") given.push_back(v.id);
    int const wide = two_sides_ ? (width() - 2 * left - 8) / 2 : column, in_row = two_sides_ ? 2 : 1;
    std::string made = text(left, 16, "side", "arguments") + "\n";
    int i = 0;
    for (int id : given) {
      made += chip_of(o_.values[static_cast<std::size_t>(id)], left + i % in_row * (wide + 8), 26 + i / in_row * step,
                      wide, step - 6, true);
      ++i;
    }
    y_ = 26 + (i + in_row - 1) / in_row * step + 6;
    return made;
  }

  static int height_of(stated_value const& v) {
    int high = chip;
    for (stated_value const& each : v.steps)
      if (each.is_computed) high += step;
    return high;
  }
  int height(std::size_t k) const {
    if (collapsed_) return title + 20;
    int high[2] = {0, 0};
    for (int id : o_.kernels[k].values) high[is_left(k, id)] += height_of(o_.values[static_cast<std::size_t>(id)]);
    return title + std::max(high[0], high[1]) + 4;
  }
  /// Whether a value stands on the left: what a kernel of the way back computes again stands on the right with it.
  bool is_left(std::size_t k, int id) const {
    std::string const& kind = o_.values[static_cast<std::size_t>(id)].kind;
    return o_.kernels[k].forward && (!o_.kernels[k].backward || kind == "forward" || kind == "saved");
  }

  /// The colour of a kernel without its values.
  std::string kind_of_kernel(stated_kernel const& kernel) const {
    for (int id : kernel.listed)
      if (o_.values[static_cast<std::size_t>(id)].kind == "saved") return "saved";
    return kernel.forward ? "forward" : "backward";
  }

  std::string box(std::size_t k, int y, int high) {
    stated_kernel const& kernel = o_.kernels[k];
    int const x = kernel.forward ? left : right();
    int const wide = kernel.forward && kernel.backward ? right() + column - left : column;
    std::string const words = "kernel " + std::to_string(k) + ": " + kernel.title;
    std::string made = "<g class=\"kernel\" id=\"kernel-" + std::to_string(k) + "\" data-link=\"" +
                       (collapsed_ ? link_of(o_, k) : "k" + std::to_string(k)) + "\"><title>" + escaped(words) +
                       "</title>" + rectangle(collapsed_ ? kind_of_kernel(kernel).c_str() : "kernel", x, y, wide, high);
    std::size_t const room = static_cast<std::size_t>(wide - 16) / 7;
    if (!collapsed_) {
      made += text(x + 8, y + 17, "title", cut(words, room)) + "</g>\n";
    } else {
      std::string list;
      for (int id : kernel.values) list += (list.empty() ? "" : ", ") + o_.values[static_cast<std::size_t>(id)].name;
      made += "<a href=\"#group-" + std::to_string(k) + "\">" +
              text(x + 8, y + 17, "title", cut(words, kind_of_kernel(kernel) == "saved" ? room - 6 : room)) +
              text(x + 8, y + 34, "of", cut(list, room + room / 6)) +
              (kind_of_kernel(kernel) == "saved" ? text(x + wide - 8, y + 17, "mark", "saved") : "") + "</a></g>\n";
    }
    int down = y + title, up = y + high - 4;
    for (int id : kernel.values) {
      stated_value const& v = o_.values[static_cast<std::size_t>(id)];
      spot& at = at_[static_cast<std::size_t>(id)];
      bool const first = !at.drawn, forward = is_left(k, id);
      int const own = collapsed_ ? high : height_of(v);
      if (!forward) up -= own;
      int const chip_x = (forward ? left : right()) + 8, chip_y = forward ? down : up;
      if (forward) down += own;
      spot const placed = collapsed_ ? spot{forward ? left : right(), y, column, high, true, forward, k}
                                     : spot{chip_x, chip_y, column - 16, 36, true, forward, k};
      in_[k].push_back(placed);
      if (first) at = placed;
      if (collapsed_) continue;
      made += chip_of(v, chip_x, chip_y, column - 16, 36, first);
      int inner = chip_y + 42;
      for (stated_value const& each : v.steps) {
        if (!each.is_computed) continue;
        made += chip_of(each, chip_x + 20, inner, column - 36, step - 6, first);
        inner += step;
      }
    }
    return made;
  }

  /// A line from a value to one that is made of it; within a column to the neighbour straight, to others around. What a
  /// kernel computes again, it takes from itself.
  std::string edges() const {
    std::string made;
    std::vector<int> here(o_.values.size(), -1);  // the place in its kernel of each value
    for (std::size_t k = 0; k < o_.kernels.size(); ++k) {
      std::vector<int> const& ids = o_.kernels[k].values;
      std::fill(here.begin(), here.end(), -1);
      for (std::size_t i = 0; i < ids.size(); ++i) here[static_cast<std::size_t>(ids[i])] = static_cast<int>(i);
      std::vector<std::size_t> joined;  // kernels from which a line comes already
      for (std::size_t i = 0; i < ids.size(); ++i) {
        stated_value const& to = o_.values[static_cast<std::size_t>(ids[i])];
        for (int id : to.sources) {
          auto const source = static_cast<std::size_t>(id);
          int const own = here[source];
          spot const& from = own >= 0 ? in_[k][static_cast<std::size_t>(own)] : at_[source];
          if (!from.drawn || (collapsed_ && own >= 0)) continue;
          if (collapsed_ && std::find(joined.begin(), joined.end(), from.kernel) != joined.end()) continue;
          joined.push_back(from.kernel);
          made += edge(from, in_[k][i],
                       collapsed_ ? "k" + std::to_string(from.kernel) + " k" + std::to_string(k)
                                  : "v" + o_.values[source].key + " v" + to.key);
        }
      }
    }
    return made;
  }
  static std::string edge(spot const& from, spot const& to, std::string const& link) {
    return "<path class=\"edge" + std::string(from.forward != to.forward ? " across" : "") + "\" data-link=\"" + link +
           "\" marker-end=\"url(#tip)\" d=\"" + path(from, to) + "\"/>\n";
  }
  static std::string point(int x, int y) { return number(x) + " " + number(y); }
  static std::string path(spot const& a, spot const& b) {
    if (a.forward != b.forward) {
      int const x1 = a.x + (a.forward ? a.wide : 0), x2 = b.x + (b.forward ? b.wide : 0), middle = (x1 + x2) / 2;
      int const y1 = a.y + a.high / 2, y2 = b.y + b.high / 2;
      return "M" + point(x1, y1) + "C" + point(middle, y1) + " " + point(middle, y2) + " " + point(x2, y2);
    }
    int const x = a.x + column - 80, bottom = a.y + a.high, above = b.y + b.high, near = a.kernel == b.kernel ? 20 : 64;
    if (b.y >= bottom && b.y - bottom < near) return "M" + point(x, bottom) + "L" + point(x, b.y);
    if (a.y >= above && a.y - above < near) return "M" + point(x, a.y) + "L" + point(x, above);
    int const y1 = a.y + a.high / 2, y2 = b.y + b.high / 2, outer = a.forward ? a.x : a.x + a.wide;
    int const reach = std::min(left - 2, 16 + std::abs(y2 - y1) / 20), bend = a.forward ? outer - reach : outer + reach;
    return "M" + point(outer, y1) + "C" + point(bend, y1) + " " + point(bend, y2) + " " + point(outer, y2);
  }
};

}  // namespace detail
ETCH_NAMESPACE_END
