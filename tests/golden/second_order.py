"""Second derivatives by PyTorch in float64, for second_order.hpp: python3 second_order.py > second_order_data.hpp

Each function is one of a vector, its parameters leaf by leaf, the first index fastest; a tensor of etch's, [a, b, c], is torch's [c, b, a] there.
Blocks are those of ../shared/golden, `KIND NAME DIM0 DIM1 ...` and a line of entries: `input` the arguments, `value` the value, and of all parameters
side by side `direction`, `grad`, `hvp` (the Hessian times the direction) and `hessian`.
"""
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(18)


def say(kind, name, dims, numbers):
    print(" ".join([kind, name, *map(str, dims)]))
    print(" ".join(f"{number:.17g}" for number in numbers.reshape(-1).tolist()))


def case(name, parameters, given, f):
    """`parameters` and `given` are tensors by name, as torch has them; `f` takes all of them."""
    def of_vector(v):
        leaves, first = {}, 0
        for key, leaf in parameters.items():
            leaves[key] = v[first:first + leaf.numel()].reshape(leaf.shape)
            first += leaf.numel()
        return f(**leaves, **given)

    at = torch.cat([leaf.reshape(-1) for leaf in parameters.values()]).requires_grad_()
    direction = torch.randn(at.numel())
    value = of_vector(at)
    gradient = torch.autograd.grad(value, at)[0]
    hessian = torch.autograd.functional.hessian(of_vector, at.detach())
    product = torch.autograd.functional.hvp(of_vector, at.detach(), direction)[1]
    print(f'inline constexpr char {name}[] = R"(', end="")
    for key, leaf in {**parameters, **given}.items():
        say("input", key, reversed(leaf.shape), leaf)
    n = at.numel()
    say("value", "loss", [], value.detach())
    say("direction", "all", [n], direction)
    say("grad", "all", [n], gradient)
    say("hvp", "all", [n], product)
    say("hessian", "all", [n, n], hessian)
    print(')";')


def cross_entropy(W1, b1, W2, b2, x, labels):
    return F.cross_entropy(torch.tanh(x @ W1 + b1) @ W2 + b2, labels)


def normalised(x, gain, bias, weight):
    return (weight * torch.tanh(F.layer_norm(x, x.shape[-1:], gain, bias, 1e-5))).sum()


def convolution(K, k, images):
    return F.max_pool2d(torch.relu(F.conv2d(images, K, k)), 2).square().sum()


def mixture(logits, means, log_scales, points):
    """The log-likelihood of points under a mixture of round Gaussians."""
    distances = (points[:, None] - means).square().sum(2)
    d = points.shape[1]
    densities = torch.log_softmax(logits, 0) - 0.5 * distances * torch.exp(-2 * log_scales) - d * log_scales - 0.5 * d * math.log(2 * math.pi)
    return torch.logsumexp(densities, 1).sum()


print(f"// Second derivatives in float64, written by second_order.py with PyTorch {torch.__version__.split('+')[0]}: not to be edited. Each line of\n"
      "// numbers follows what it is, as second_order.py says.\n#pragma once\n\nnamespace golden::second_order {\n")
case("mlp", {"W1": torch.randn(3, 3), "b1": torch.randn(3), "W2": torch.randn(3, 3), "b2": torch.randn(3)},
     {"x": torch.randn(5, 3), "labels": torch.tensor([0, 2, 1, 1, 0])}, cross_entropy)
case("layer_norm", {"x": torch.randn(2, 4), "gain": 1 + 0.3 * torch.randn(4), "bias": 0.3 * torch.randn(4)}, {"weight": torch.randn(2, 4)}, normalised)
case("convolution", {"K": 0.5 * torch.randn(2, 1, 3, 3), "k": 0.3 * torch.randn(2)}, {"images": torch.randn(2, 1, 7, 6)}, convolution)
case("mixture", {"logits": torch.randn(3), "means": torch.randn(3, 2), "log_scales": 0.3 * torch.randn(3)}, {"points": torch.randn(8, 2)}, mixture)
print("\n}  // namespace golden::second_order")
