// A suite of twenty operations on the host, in one unit: what the templates of a team's validators cost a compiler.
#include "assay/all.hpp"

namespace {

template <class... Operations>
void add_operations(assay::Suite& suite, const assay::Host& worker) {
  (assay::add_operation_cases<Operations>(suite, worker, assay::portable_operation_subject<Operations>(worker)), ...);
}

}  // namespace

int main() {
  assay::Suite suite;
  using namespace assay;
  add_operations<Attention, AttentionBackward, Convolution, CrossEntropy, Elementwise, Gather, Linear,
                 NonMaximumSuppression, Normalization, NormalizationBackward, Optimizer, Pooling, Rearrangement,
                 Reduction, Resize, RotaryEmbedding, Sampling, Softmax, SoftmaxBackward, Sort>(suite, Host());
  Console console;
  return run_suite(suite, {}, detect_environment(), console).exit_code();
}
