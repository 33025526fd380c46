#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/core/rounding_model.hpp"
#include "assay/formats/element_format.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay_program {

/// Where an array belongs among the operands of an operation.
enum class ArrayPlace {
  in_order,  ///< of all operands that the problem has
  read,      ///< of those that the kernel only reads
  written    ///< of those that it writes
};

/// An array of the user, of a file or of another program's memory: it is read, never written.
struct GivenArray {
  std::string name;  ///< for messages
  ArrayPlace place = ArrayPlace::in_order;
  std::string operand;  ///< the operand that it is, where its owner names it; else its place counts
  bool absent = false;  ///< the problem does without the operand that would stand here
  std::optional<assay::ElementFormat> format;  ///< none: the problem says it
  std::size_t raw_bytes = 0;  ///< of an element whose format the problem may tell otherwise; 0: it may not
  std::string type;           ///< of elements, as their owner calls it
  std::vector<assay::Index> shape;
  std::vector<assay::Index> strides;  ///< in elements; empty: row-major
  const void* data = nullptr;
  const void* before = nullptr;  ///< of operands that are updated in place: what they held before, stored alike
};

/// What is judged, and how.
struct GivenCheck {
  std::string operation;                       ///< as in ids
  std::vector<assay::RecordedField> settings;  ///< members of the problem that the arrays do not tell; "axis", too
  std::vector<GivenArray> arrays;
  assay::ChosenTolerance tolerance;
  std::optional<assay::Arithmetic> arithmetic;  ///< none: float64 where an array has it, else float32
  assay::RoundingModel rounding = assay::RoundingModel::worst_case;
  bool diagnosis = true;
};

/// Judges what a kernel has computed, as `assay::check_outputs` does: extents and formats of the problem are those of
/// the arrays, operands are there or not as they are given. Errors: `not_found` for an unknown operation, with near
/// names; `invalid` for settings that it does not have, and for arrays that find no operand.
[[nodiscard]] assay::Result<assay::Outcome> check_arrays(const GivenCheck& given);

/// An operation as a JSON object: {"name", "members": {name: default}, "operands": [{"name", "role", "present"}]}.
/// Errors: `not_found`.
[[nodiscard]] assay::Result<std::string> describe_operation(const std::string& operation);

/// The names of all operations that `check_arrays` takes, in the order of the list.
[[nodiscard]] std::vector<std::string> checked_operations();

}  // namespace assay_program
