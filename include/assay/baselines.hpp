#pragma once

/// Everything of assay/baselines/ that needs no optional library.

#include "assay/baselines/any_store.hpp"
#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/check_store.hpp"
#include "assay/baselines/compare_golden.hpp"
#include "assay/baselines/directory_store.hpp"
#include "assay/baselines/file_operations.hpp"
#include "assay/baselines/golden_comparison.hpp"
#include "assay/baselines/golden_tensor.hpp"
#include "assay/baselines/memory_store.hpp"
#include "assay/baselines/store.hpp"
