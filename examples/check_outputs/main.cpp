// Is what my kernel computed a softmax? x and y are two buffers of this program; any others of yours will do.
#include <cmath>
#include <cstdio>

#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_outputs.hpp"

int main() {
  std::vector<float> x{0.5F, 1, -2, 3, 0, 0, 0, 0}, y(8);
  for (int i = 0; i < 8; ++i) y[i] = std::exp(x[i]) / (i < 4 ? 24.5877F : 4);
  const assay::SoftmaxProblem problem{.outer = 2, .length = 4};
  const assay::Outcome found = assay::check_outputs<assay::Softmax>(problem, {{x, {2, 4}}, {y, {2, 4}}});
  std::printf("%s %s\n", std::string(name_of(found.verdict)).c_str(), found.reason.c_str());
}
