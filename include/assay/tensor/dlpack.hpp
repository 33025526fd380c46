#pragma once

#include "assay/tensor/dlpack_abi.hpp"
#include "assay/tensor/dlpack_device.hpp"
#include "assay/tensor/dlpack_export.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tensor/dlpack_import.hpp"
#include "assay/tensor/dlpack_stream.hpp"
