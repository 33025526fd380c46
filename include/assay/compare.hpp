#pragma once

/// Everything of assay/compare/ that needs no optional library.

#include "assay/compare/any_expectation.hpp"
#include "assay/compare/approximate_expectation.hpp"
#include "assay/compare/block_expectation.hpp"
#include "assay/compare/code_expectation.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/compare/comparison.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/compare/expected_values.hpp"
#include "assay/compare/lanes.hpp"
#include "assay/compare/operand_chunk.hpp"
#include "assay/compare/paired_expectation.hpp"
#include "assay/compare/ratio_distribution.hpp"
#include "assay/compare/refinable_expectation.hpp"
