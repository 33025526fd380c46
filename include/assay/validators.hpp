#pragma once

/// Everything of assay/validators/ that needs no optional library.

#include "assay/validators/check_dequantise.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_gemm_residual.hpp"
#include "assay/validators/check_gemm_sampled.hpp"
#include "assay/validators/check_quantise.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/describe_quantised.hpp"
#include "assay/validators/explain_gemm.hpp"
#include "assay/validators/faults/emulated_gemm.hpp"
#include "assay/validators/faults/emulated_quantise.hpp"
#include "assay/validators/faults/gemm_faults.hpp"
#include "assay/validators/faults/quantise_faults.hpp"
#include "assay/validators/faults/summation_order.hpp"
#include "assay/validators/gemm_check_options.hpp"
#include "assay/validators/gemm_shapes.hpp"
#include "assay/validators/gemm_subject.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/quantise_shapes.hpp"
#include "assay/validators/quantise_subject.hpp"
#include "assay/validators/quantise_suite.hpp"
