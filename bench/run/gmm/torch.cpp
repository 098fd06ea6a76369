// libtorch: all points and components at once, the factors as matrices; its tape, its gradients.
#include "problem.hpp"

#include "../by_torch.hpp"

namespace gmm_problem {

rival const here{"torch", [](data const& in, parameters& g) {
                   static at::Tensor const below = [] {  // where the entries below a diagonal go, column by column
                     std::vector<std::int64_t> at;
                     for (int j = 0; j < d; ++j)
                       for (int i = j + 1; i < d; ++i) at.push_back(i * d + j);
                     return at::tensor(at);
                   }();
                   at::Tensor const alpha = bench::parameter(in.model.alpha), means = bench::parameter(in.model.means),
                                    icf = bench::parameter(in.model.icf), x = bench::given(in.x);
                   at::Tensor const q = icf.slice(1, 0, d), l = icf.slice(1, d);
                   at::Tensor const lower = at::zeros({k, d * d}, at::kDouble).index_copy(1, below, l).view({k, d, d});
                   at::Tensor const away = x.unsqueeze(0) - means.unsqueeze(1);  // [k, n, d]
                   at::Tensor const squares =
                       at::square(away * at::exp(q).unsqueeze(1) + at::bmm(away, lower.transpose(1, 2))).sum(2);
                   at::Tensor const sum_q = q.sum(1);
                   at::Tensor const likelihood = at::logsumexp((alpha + sum_q).unsqueeze(1) - 0.5 * squares, {0}).sum();
                   at::Tensor const prior = 0.5 * in.gamma * in.gamma * (at::exp(2 * q).sum() + at::square(l).sum()) -
                                            in.m * sum_q.sum() - in.constant;
                   at::Tensor const value = likelihood - n * at::logsumexp(alpha, {0}) + prior -
                                            n * d * 0.5 * std::log(2 * std::numbers::pi);
                   return bench::differentiate(value, {alpha, means, icf}, g.alpha, g.means, g.icf);
                 }};

}  // namespace gmm_problem
