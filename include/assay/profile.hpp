#pragma once

/// Everything of assay/profile/ that needs no optional library.

#include "assay/profile/function_profile.hpp"
#include "assay/profile/matrix_unit.hpp"
#include "assay/profile/matrix_unit_model.hpp"
#include "assay/profile/numeric_profile.hpp"
#include "assay/profile/profile_gemm.hpp"
#include "assay/profile/profile_unit.hpp"
#include "assay/profile/profiled_accumulation.hpp"
#include "assay/profile/reveal_order.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "assay/profile/summation_shape.hpp"
#include "assay/profile/summation_tree.hpp"
