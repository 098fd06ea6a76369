// writing: what the lessons read and write, letter by letter.
#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace writing {

inline constexpr int letters = 96;

/// The printable characters of ASCII, and everything else as the end of a line.
constexpr int letter_of(char c) { return c >= ' ' && c <= '~' ? c - ' ' : letters - 1; }
constexpr char character_of(int letter) { return letter == letters - 1 ? '\n' : static_cast<char>(' ' + letter); }

/// A nursery rhyme, verse by verse.
inline std::string this_is_the_house() {
  char const* const lines[] = {"the house that Jack built.",
                               "the malt that lay in ",
                               "the rat that ate ",
                               "the cat that killed ",
                               "the dog that worried ",
                               "the cow with the crumpled horn that tossed ",
                               "the maiden all forlorn that milked ",
                               "the man all tattered and torn that kissed ",
                               "the priest all shaven and shorn that married ",
                               "the cock that crowed in the morn that waked ",
                               "the farmer sowing his corn that kept "};
  std::string rhyme;
  for (int verse = 0; verse < 11; ++verse) {
    rhyme += "This is ";
    for (int line = verse; line >= 0; --line) rhyme += lines[line];
    rhyme += '\n';
  }
  return rhyme;
}

/// The file's characters, at least `least` of them, or an exception.
inline std::string read(std::string const& file, std::size_t least) {
  std::ifstream from(file, std::ios::binary);
  std::string const all{std::istreambuf_iterator<char>(from), {}};
  if (!from || all.size() < least)
    throw std::runtime_error(file + ": it cannot be read, or is shorter than " + std::to_string(least) + " characters");
  return all;
}

}  // namespace writing
