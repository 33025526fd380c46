#pragma once

/// Everything of assay/formats/ that needs no optional library.

#include "assay/formats/block_scaling.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/formats/block_values.hpp"
#include "assay/formats/classify.hpp"
#include "assay/formats/code_format.hpp"
#include "assay/formats/code_packing.hpp"
#include "assay/formats/double_double.hpp"
#include "assay/formats/float_layout.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/formats/integer_layout.hpp"
#include "assay/formats/layout_name.hpp"
#include "assay/formats/limits.hpp"
#include "assay/formats/rounding.hpp"
#include "assay/formats/scale_layout.hpp"
#include "assay/formats/scale_rule.hpp"
#include "assay/formats/small_float.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"
