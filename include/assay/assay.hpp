#pragma once

/// The vocabulary of Assay, quick to compile: number formats, views, tensors, fills, tolerances, comparison, outcomes,
/// and the concepts `Tolerance`, `Backend`, `ParallelBackend` and `Store`. A program adds the backend that it runs on
/// (assay/backends/host.hpp, or a leaf), and what it validates (assay/validators/…, assay/collectives/…). Everything at
/// once is assay/all.hpp.

#include "assay/backends/parallel_backend.hpp"
#include "assay/baselines/store.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/compare/expected_values.hpp"
#include "assay/core/outcome.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/tolerance/combine.hpp"
