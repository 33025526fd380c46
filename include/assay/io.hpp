#pragma once

/// Everything of assay/io/ that needs no optional library.

#include "assay/io/npy.hpp"
#include "assay/io/npy_array.hpp"
#include "assay/io/npz.hpp"
#include "assay/io/safetensors_data.hpp"
#include "assay/io/safetensors_entry.hpp"
#include "assay/io/safetensors_file.hpp"
#include "assay/io/safetensors_tensor.hpp"
#include "assay/io/safetensors_type.hpp"
