#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/profile/numeric_profile.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace assay_program {

/// A GEMM kernel whose arithmetic can be found out.
struct ProfiledKernel {
  std::string formats;  ///< "bf16.f32.bf16"
  std::function<assay::Result<assay::NumericProfile>()> profile;
};

/// What the user may choose about the cases.
struct SuiteOptions {
  assay::GemmSuiteOptions gemm;
  std::shared_ptr<const assay::GemmMatrices>
      matrices;  ///< the user's own, instead of the default shapes and fills; may be null
  /// The cases are named and explained, not run: no library's runtime need be started for that.
  bool catalog = false;
  /// Operations (globs) whose suites reach every class of lengths, as `OperationSuiteOptions::covered`.
  std::vector<std::string> covered;
  bool large = false;      ///< problems that take long, too
  bool relations = false;  ///< relations between launches instead of checks against a reference
  std::vector<ProfiledKernel>* kernels =
      nullptr;  ///< where not null, GEMM kernels are put there, and no cases of them are made
};

/// A library whose kernels this program can validate: one entry here and one source in this folder.
struct Library {
  std::string name;     ///< of the backend, in ids
  std::string title;    ///< for people
  std::string package;  ///< the Debian package that has it; empty if it is part of Assay, or comes with CUDA_ARCH
  bool compiled_in = false;
  std::function<std::string()> version = {};
  /// Starts what must live as long as its cases do; may be null. Not called for a catalog.
  std::shared_ptr<void> (*start)() = nullptr;
  std::function<void(assay::Suite&, const SuiteOptions&)> add_cases = {};
  bool plugin = false;       ///< loaded by --plugin
  std::string failure = {};  ///< of a plugin: why it cannot be used, or empty
};

/// All libraries that this program knows, those that it was built without included, and then plugins.
[[nodiscard]] const std::vector<Library>& libraries();

/// Adds a plugin; not while `libraries()` is walked over.
void add_library(Library library);
void forget_plugin_libraries();

}  // namespace assay_program
