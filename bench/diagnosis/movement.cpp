#include "assay/faults/gather_faults.hpp"
#include "assay/faults/rearrangement_faults.hpp"
#include "assay/faults/rotary_embedding_faults.hpp"
#include "parts.hpp"

std::vector<diagnosis_bench::Part> diagnosis_bench::movement_parts() {
  return parts_of<assay::Gather, assay::Rearrangement, assay::RotaryEmbedding>();
}
