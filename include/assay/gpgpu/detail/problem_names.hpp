#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/gpgpu/kernels/described_kernel.hpp"
#include "assay/gpgpu/kernels/expression.hpp"
#include "assay/plugin/function_plugin.hpp"
#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0::detail {

/// What expressions may name in a problem: its attributes, what is told of its operands, and of the device.
class ProblemNames {
 public:
  explicit ProblemNames(const PluginRequest& request);

  void set(const std::string& name, ExpressionValue value) { values_[name] = std::move(value); }
  [[nodiscard]] ExpressionNames names() const;

 private:
  std::map<std::string, ExpressionValue, std::less<>> values_;
};

/// The tensor of that name, by number. Errors: `invalid`, with the place and the names nearest.
[[nodiscard]] Result<std::size_t> operand_named(const PluginRequest& request, const KernelArgument& argument);

/// The bytes of a scalar argument of 4 or 8. Errors: `invalid` for what its type does not hold, and texts.
[[nodiscard]] Result<std::vector<unsigned char>> scalar_bytes(const KernelArgument& argument,
                                                              const ExpressionNames& names);

/// The first kernel of the file that takes the problem. Errors: `unsupported`, with what each requires; those of
/// expressions.
[[nodiscard]] Result<const DescribedKernel*> kernel_for(const KernelFile& file, const PluginRequest& request,
                                                        const ExpressionNames& names);

/// The text of a kernel's file, which is read once; `what` it is, for messages. Errors: those of `read_file`.
[[nodiscard]] Result<const std::string*> source_of(const DescribedKernel& kernel,
                                                   std::map<std::string, std::string>& sources, const char* what);

/// How many groups a kernel is started with in each dimension; one where it says nothing. Errors: `unsupported` where
/// the device has not so many; those of expressions.
[[nodiscard]] Result<std::array<std::uint32_t, 3>> groups_of(const DescribedKernel& kernel,
                                                             const ExpressionNames& names,
                                                             const std::array<std::size_t, 3>& most);

/// Refuses an operand that begins `behind` bytes behind a boundary of the device's where the kernel is not told so.
[[nodiscard]] Result<void> check_offset_is_used(const DescribedKernel& kernel, const KernelArgument& argument,
                                                std::int64_t behind, std::size_t alignment);

/// The kernels of a file as functions, one an operation: `launch(request)` has to find its kernel.
[[nodiscard]] std::vector<PluginFunction> functions_of(const KernelFile& file,
                                                       const std::function<Result<void>(const PluginRequest&)>& launch);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/detail/problem_names.ipp"
#endif
