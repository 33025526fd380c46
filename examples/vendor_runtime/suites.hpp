#pragma once

#include "assay/suite/case.hpp"
#include "runtime/vrt.h"

/// Cases for bring-up, on a device whose memory the host may read: failures are diagnosed. The device outlives the
/// cases.
void add_diagnosed_cases(assay::Suite& suite, vrt_device device);

/// Cases for everything that vrt has kernels for, on a device whose memory may be private: fills, references and
/// comparisons run where the data lie. The device outlives the cases.
void add_cases_in_place(assay::Suite& suite, vrt_device device);
