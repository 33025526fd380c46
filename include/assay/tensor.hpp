#pragma once

/// Everything of assay/tensor/ that needs no optional library.

#include "assay/tensor/convert.hpp"
#include "assay/tensor/dlpack.hpp"
#include "assay/tensor/dlpack_abi.hpp"
#include "assay/tensor/dlpack_device.hpp"
#include "assay/tensor/dlpack_export.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tensor/dlpack_import.hpp"
#include "assay/tensor/dlpack_stream.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_kind.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"
#include "assay/tensor/overlap.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/tensor/random_values.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tensor/tensor.hpp"
