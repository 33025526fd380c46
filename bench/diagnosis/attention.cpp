#include "assay/faults/attention_backward_faults.hpp"
#include "assay/faults/attention_faults.hpp"
#include "assay/faults/attention_merge_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::attention_parts() {
  return parts_of<assay::Attention, assay::AttentionBackward, assay::AttentionMerge>();
}
