#pragma once

/// Everything of assay/tolerance/ that needs no optional library.

#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/acceptance_interval.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/tolerance/aggregate.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/bounded.hpp"
#include "assay/tolerance/bounded_number.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/tolerance/combine.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/error_statistics.hpp"
#include "assay/tolerance/exact.hpp"
#include "assay/tolerance/expected_element.hpp"
#include "assay/tolerance/positive_sum.hpp"
#include "assay/tolerance/rounding_error.hpp"
#include "assay/tolerance/tolerance.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "assay/tolerance/ulps.hpp"
#include "assay/tolerance/unit_promise.hpp"
