// The same by hand: the bits of a character in registers, each step's gates kept for the way back.
#include "problem.hpp"

#include <etch/machine/lanes.hpp>

#include <cmath>

namespace lstm_problem {

namespace {

using number = etch::lanes<double>;
constexpr int width = number::width, registers = (bits + width - 1) / width, rest = bits - (registers - 1) * width;

/// The bits of a character; those beyond the last are 0.
struct character {
  number of[registers];
};

character load(double const* from) {
  character x;
  for (int i = 0; i + 1 < registers; ++i) x.of[i] = number::load(from + i * width);
  x.of[registers - 1] = number::load<rest>(from + (registers - 1) * width);
  return x;
}
void store(double* to, character const& x) {
  for (int i = 0; i + 1 < registers; ++i) x.of[i].store(to + i * width);
  x.of[registers - 1].store<rest>(to + (registers - 1) * width);
}
character each(auto f) {
  character y;
  for (int i = 0; i < registers; ++i) y.of[i] = f(i);
  return y;
}
double sum(character const& x) {
  number total = x.of[0];
  for (int i = 1; i + 1 < registers; ++i) total = total + x.of[i];
  if (registers > 1) total = total + x.of[registers - 1].first(rest, 0);
  return total.across([](auto a, auto b) { return a + b; });
}

struct gates {
  character forget, in, out, change, cell, squashed, hidden;  // `cell` and `hidden` as before the step
};

gates kept[characters - 1][layers];
character scores[characters - 1];
double totals[characters - 1], targets[characters - 1];

double evaluate(data const& d, parameters& gradient) {
  number const one(1.0);
  character w[layers][4], bias[layers][4], hidden[layers], cell[layers], extra[3];
  for (int layer = 0; layer < layers; ++layer) {
    for (int g = 0; g < 4; ++g)
      w[layer][g] = load(&d.model.main(0, g, 0, layer)), bias[layer][g] = load(&d.model.main(0, g, 1, layer));
    hidden[layer] = load(&d.state(0, 0, layer)), cell[layer] = load(&d.state(0, 1, layer));
  }
  for (int i = 0; i < 3; ++i) extra[i] = load(&d.model.extra(0, i));
  double value = 0;
  for (int t = 0; t + 1 < characters; ++t) {
    character const read = load(&d.sequence(0, t)), target = load(&d.sequence(0, t + 1));
    character x = each([&](int i) { return read.of[i] * extra[0].of[i]; });
    for (int layer = 0; layer < layers; ++layer) {
      gates& k = kept[t][layer];
      auto const gate = [&](character const& from, int g) {
        return each([&](int i) {
          return one / (one + etch::math::exp(-multiply_add(from.of[i], w[layer][g].of[i], bias[layer][g].of[i])));
        });
      };
      k.forget = gate(x, 0), k.in = gate(hidden[layer], 1), k.out = gate(x, 2);
      k.change = each([&](int i) {
        return etch::math::tanh(multiply_add(hidden[layer].of[i], w[layer][3].of[i], bias[layer][3].of[i]));
      });
      k.cell = cell[layer], k.hidden = hidden[layer];
      cell[layer] =
          each([&](int i) { return multiply_add(cell[layer].of[i], k.forget.of[i], k.in.of[i] * k.change.of[i]); });
      k.squashed = each([&](int i) { return etch::math::tanh(cell[layer].of[i]); });
      x = hidden[layer] = each([&](int i) { return k.out.of[i] * k.squashed.of[i]; });
    }
    character const y = each([&](int i) { return multiply_add(x.of[i], extra[1].of[i], extra[2].of[i]); });
    scores[t] = each([&](int i) { return etch::math::exp(y.of[i]); });
    totals[t] = 2 + sum(scores[t]);
    targets[t] = sum(target);
    value += sum(each([&](int i) { return target.of[i] * y.of[i]; })) - targets[t] * std::log(totals[t]);
  }

  double const scale = -1.0 / (bits * (characters - 1));
  character const zero = each([](int) { return number(0.0); });
  character dw[layers][4], dbias[layers][4], dhidden[layers], dcell[layers], dextra[3];
  for (int layer = 0; layer < layers; ++layer) {
    for (int g = 0; g < 4; ++g) dw[layer][g] = dbias[layer][g] = zero;
    dhidden[layer] = dcell[layer] = zero;
  }
  for (character& c : dextra) c = zero;
  for (int t = characters - 2; t >= 0; --t) {
    character const read = load(&d.sequence(0, t)), target = load(&d.sequence(0, t + 1));
    number const share(targets[t] / totals[t]);
    character dx;
    for (int i = 0; i < registers; ++i) {
      number const dy = number(scale) * (target.of[i] - share * scores[t].of[i]);
      gates const& top = kept[t][layers - 1];
      dextra[1].of[i] = multiply_add(dy, top.out.of[i] * top.squashed.of[i], dextra[1].of[i]);
      dextra[2].of[i] = dextra[2].of[i] + dy;
      dx.of[i] = dy * extra[1].of[i];
    }
    for (int layer = layers - 1; layer >= 0; --layer)
      for (int i = 0; i < registers; ++i) {
        gates const& k = kept[t][layer];
        number const f = k.forget.of[i], in = k.in.of[i], o = k.out.of[i], c = k.change.of[i], s = k.squashed.of[i],
                     h = k.hidden.of[i];
        number const x =
            layer == 0 ? read.of[i] * extra[0].of[i] : kept[t][layer - 1].out.of[i] * kept[t][layer - 1].squashed.of[i];
        number const dh = dx.of[i] + dhidden[layer].of[i], dc = multiply_add(dh * o, one - s * s, dcell[layer].of[i]);
        number const by[4] = {dc * k.cell.of[i] * f * (one - f), dc * c * in * (one - in), dh * s * o * (one - o),
                              dc * in * (one - c * c)};
        for (int g = 0; g < 4; ++g) {
          dw[layer][g].of[i] = multiply_add(by[g], g % 2 == 0 ? x : h, dw[layer][g].of[i]);
          dbias[layer][g].of[i] = dbias[layer][g].of[i] + by[g];
        }
        dcell[layer].of[i] = dc * f;
        dhidden[layer].of[i] = multiply_add(by[1], w[layer][1].of[i], by[3] * w[layer][3].of[i]);
        dx.of[i] = multiply_add(by[0], w[layer][0].of[i], by[2] * w[layer][2].of[i]);
        if (layer == 0) dextra[0].of[i] = multiply_add(dx.of[i], read.of[i], dextra[0].of[i]);
      }
  }
  for (int layer = 0; layer < layers; ++layer)
    for (int g = 0; g < 4; ++g)
      store(&gradient.main(0, g, 0, layer), dw[layer][g]), store(&gradient.main(0, g, 1, layer), dbias[layer][g]);
  for (int i = 0; i < 3; ++i) store(&gradient.extra(0, i), dextra[i]);
  return value * scale;
}

}  // namespace

rival const here{"hand", [](data const& in, parameters& g) { return evaluate(in, g); }};

}  // namespace lstm_problem
