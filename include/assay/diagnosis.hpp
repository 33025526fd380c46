#pragma once

/// Everything of assay/diagnosis/ that needs no optional library.

#include "assay/diagnosis/budget.hpp"
#include "assay/diagnosis/diagnose.hpp"
#include "assay/diagnosis/name_faults.hpp"
#include "assay/diagnosis/name_gemm_faults.hpp"
#include "assay/diagnosis/promises.hpp"
