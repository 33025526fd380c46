#pragma once

/// Everything of assay/gpgpu/ that needs no optional library.

#include "assay/gpgpu/clblast/clblast.hpp"
#include "assay/gpgpu/kernels/described_kernel.hpp"
#include "assay/gpgpu/kernels/expression.hpp"
#include "assay/gpgpu/opencl/oclgrind.hpp"
#include "assay/gpgpu/opencl/opencl_device.hpp"
#include "assay/gpgpu/opencl/opencl_kernels.hpp"
#include "assay/gpgpu/vulkan/vulkan_device.hpp"
#include "assay/gpgpu/vulkan/vulkan_kernels.hpp"
#include "assay/gpgpu/webgpu/webgpu_buffers.hpp"
#include "assay/gpgpu/webgpu/webgpu_device.hpp"
#include "assay/gpgpu/webgpu/webgpu_kernels.hpp"
