// Uses the losses of both units; with an argument, those of the second first.
#include "problem.hpp"

#include <etch/nn/init.hpp>

#include <cstdio>

void print(float value, network<float> const& gradient) {
  std::printf("%a", value);
  for (auto const* t : {gradient.hidden.weight.data(), gradient.output.weight.data()})
    for (int i = 0; i < 160; i += 7) std::printf(" %a", t[i]);
  for (float g : gradient.hidden.bias) std::printf(" %a", g);
  for (float g : gradient.output.bias) std::printf(" %a", g);
  std::printf("\n");
}

int main(int count, char**) {
  static network<float> model;
  static inputs x;
  static targets y;
  etch::nn::init::glorot_uniform(model, 3);
  etch::nn::generator random(4);
  for (float& e : x) e = static_cast<float>(random.normal());
  for (float& e : y) e = static_cast<float>(random.normal());
  if (count == 1) use_first(model, x, y), use_second(model, x, y);
  else use_second(model, x, y), use_first(model, x, y);
}
