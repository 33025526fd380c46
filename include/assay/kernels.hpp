#pragma once

/// Everything of assay/kernels/ that needs no optional library.

#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/gemm/portable.hpp"
#include "assay/kernels/gemm/problem.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/kernels/gemm/residual.hpp"
#include "assay/kernels/gemm/sample.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/quantise/bound.hpp"
#include "assay/kernels/quantise/dequantise_fill.hpp"
#include "assay/kernels/quantise/fill.hpp"
#include "assay/kernels/quantise/judgement.hpp"
#include "assay/kernels/quantise/portable.hpp"
#include "assay/kernels/quantise/problem.hpp"
#include "assay/kernels/quantise/quantise.hpp"
#include "assay/kernels/quantise/quantised_matrix.hpp"
#include "assay/kernels/quantise/reference.hpp"
