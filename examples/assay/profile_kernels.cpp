#include "assay/kernels/gemm/portable.hpp"

// Where the time of a profile goes: in a unit of its own a build under sanitizers can optimize it without the suites,
// which would compile for minutes each.
template struct assay::PortableGemmElement<assay::Gemm<assay::float32, assay::float32, assay::float32, assay::float32>>;
