// The sum of the exponentials of a layer.
#pragma once

#include <etch/etch.hpp>

inline constexpr auto dense_exp_loss = [](auto w, auto b, auto x) { return sum(exp(w * x + b)); };
