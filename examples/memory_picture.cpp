// memory_picture: writes what etch decided for two networks into a directory: as text, for
// Graphviz, as pictures of their memory, and as pages.
#include "networks.hpp"

#include <etch/view/page.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace {

void write(std::filesystem::path const& path, std::string const& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush()) throw std::runtime_error(path.string() + ": cannot be written");
  std::cout << path.string() << "\n";
}

template <class Program>
void show(std::filesystem::path const& directory, std::string const& name, std::string const& title) {
  auto const program = std::make_unique<Program>();  // it holds workspace and gradients, which are large
  write(directory / (name + ".txt"), to_text(*program));
  write(directory / (name + ".dot"), to_dot(*program));
  write(directory / (name + ".svg"), to_svg(*program));
  write(directory / (name + ".html"), etch::view::page(*program, title));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes mlp and lstm as .txt, .dot (render with `dot -Tsvg`), .svg (memory over time) and .html.");
  std::string directory = ".";
  app.add_option("directory", directory, "where the files go; it is made if it does not exist")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    std::filesystem::create_directories(directory);
    show<networks::mlp_program>(directory, "mlp", "The digits network");
    show<networks::lstm_program>(directory, "lstm", "An LSTM of two layers over 16 steps");
  } catch (std::exception const& failure) {
    std::cerr << failure.what() << "\n";
    return 2;
  }
}
