// markup: whether a text is well-formed XML, as far as pictures use it: elements, quoted
// attributes, the five named entities.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace markup {

/// Why `text` holds a character that must be escaped; nothing if it holds none.
inline std::string fault_of_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') return "a < in text";
    if (text[i] != '&') continue;
    bool known = false;
    for (std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
      known = known || text.substr(i).starts_with(entity);
    if (!known) return "an & without entity";
  }
  return "";
}

/// Why the inside of a start tag, behind the element's name, is no list of attributes.
inline std::string fault_of_attributes(std::string_view rest) {
  std::vector<std::string_view> names;
  while (true) {
    std::size_t const begin = rest.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return "";
    if (begin == 0) return "no space before an attribute";
    std::size_t const equals = rest.find("=\"", begin);
    if (equals == std::string_view::npos) return "an attribute without quoted value";
    std::size_t const end = rest.find('"', equals + 2);
    if (end == std::string_view::npos) return "a quote is not closed";
    std::string_view const name = rest.substr(begin, equals - begin);
    if (name.find_first_of(" \"<") != std::string_view::npos) return "an attribute's name is none";
    for (std::string_view other : names)
      if (other == name) return "an attribute twice";
    names.push_back(name);
    if (std::string const fault = fault_of_characters(rest.substr(equals + 2, end - equals - 2)); !fault.empty())
      return fault;
    rest.remove_prefix(end + 1);
  }
}

/// Why `text` is not one well-formed element; nothing if it is.
inline std::string fault_of(std::string_view text) {
  std::vector<std::string> open;
  bool finished = false;
  while (!text.empty()) {
    std::size_t const begin = text.find('<');
    std::string_view const between = text.substr(0, begin);
    if (std::string const fault = fault_of_characters(between); !fault.empty()) return fault;
    if (open.empty() && between.find_first_not_of(" \n") != std::string_view::npos)
      return "text outside of all elements";
    if (begin == std::string_view::npos) break;
    std::size_t const end = text.find('>', begin);
    if (end == std::string_view::npos) return "a tag is not closed";
    std::string_view tag = text.substr(begin + 1, end - begin - 1);
    text.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "an end tag that fits no start tag";
      open.pop_back();
      finished = open.empty();
      continue;
    }
    if (finished) return "a second element";
    bool const is_empty = tag.ends_with('/');
    if (is_empty) tag.remove_suffix(1);
    std::size_t const name = tag.find_first_of(" \n");
    if (tag.substr(0, name).empty()) return "a tag without name";
    if (name != std::string_view::npos)
      if (std::string const fault = fault_of_attributes(tag.substr(name)); !fault.empty()) return fault;
    if (is_empty) finished = open.empty();
    else open.emplace_back(tag.substr(0, name));
  }
  return !open.empty() ? "an element is not closed" : finished ? "" : "no element";
}

}  // namespace markup
