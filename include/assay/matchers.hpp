#pragma once

/// Everything of assay/matchers/ that needs no optional library.

#include "assay/matchers/contiguous_reference.hpp"
#include "assay/matchers/criterion.hpp"
#include "assay/matchers/element_view.hpp"
#include "assay/matchers/match.hpp"
#include "assay/matchers/reference_values.hpp"
#include "assay/matchers/shaped_elements.hpp"
