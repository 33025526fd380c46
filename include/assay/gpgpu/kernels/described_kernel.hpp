#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/kernels/expression.hpp"

namespace assay::inline v0 {

/// Where something stands in a file that a person wrote.
struct FilePlace {
  std::string file;
  std::size_t line = 0, column = 0;  ///< from 1

  /// "kernels.json:12:7".
  [[nodiscard]] std::string text() const;
};

/// An expression with its place, which every refusal names.
struct PlacedExpression {
  Expression expression;
  FilePlace place;  ///< of its first letter

  /// Errors: those of `Expression::evaluate`, behind the place.
  [[nodiscard]] Result<ExpressionValue> evaluate(const ExpressionNames& names) const;
  /// The same of an expression that must be an integer of at least `least`. Errors: `invalid`.
  [[nodiscard]] Result<std::int64_t> integer(const ExpressionNames& names, std::int64_t least) const;
};

/// What a kernel is given in one place.
struct KernelArgument {
  /// What it is.
  enum class Kind { operand, scalar, local, workspace };
  Kind kind = Kind::operand;  ///< which of the following members hold it
  std::string name;           ///< of an operand, or of a scalar's type: "int"
  PlacedExpression value;     ///< of scalars; of local memory and workspaces in bytes
  FilePlace place = {};
};

/// A kernel in a language that is no C++, and how it is launched for problems of an operation.
struct DescribedKernel {
  std::string operation;
  std::vector<std::string> formats;                 ///< globs; at least one
  std::filesystem::path file;                       ///< with its source or its code
  std::string entry;                                ///< the function in it
  std::string options = {};                         ///< for the compiler of OpenCL C
  std::vector<PlacedExpression> requirements = {};  ///< problems of which one is not true are not taken
  std::vector<KernelArgument> arguments = {};
  std::vector<PlacedExpression> global = {};  ///< work items in all, one to three dimensions; Vulkan, WebGPU: groups
  std::vector<PlacedExpression> local = {};   ///< work items of a group; none: the driver chooses
  std::string accumulator = {};  ///< of its promise, as of plugins; empty: f32, and f64 where tensors hold that
  std::string promises = {};     ///< of its unit, as `read_promises` takes them
  std::string contract = {};     ///< attributes that it fixes, as `read_contract` takes them
  double function_errors = 0;    ///< largest, in unit roundoffs, of all x that matter; 0: the usual 8
  FilePlace place = {};

  /// Whether one of its expressions has that name.
  [[nodiscard]] bool uses(const std::string& name) const;
};

/// The kernels of a file.
struct KernelFile {
  std::string name;                 ///< of the backend in ids
  std::string version = {};         ///< as the file says
  std::filesystem::path path = {};  ///< of the file itself
  std::vector<DescribedKernel> kernels = {};
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/kernels/described_kernel.ipp"
#endif
