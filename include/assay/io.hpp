#pragma once

/// Everything of assay/io/ that needs no optional library.

#include "assay/io/npy.hpp"
#include "assay/io/npy_array.hpp"
