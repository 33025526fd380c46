#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/combination_id.hpp"
#include "assay/release/detail/commented_json.hpp"
#include "assay/release/version_matrix.hpp"

/// Version matrices as JSON, with comments; README.md beside this header explains the form.
namespace assay::inline v0 {

inline constexpr const char* matrix_schema = "assay-matrix/1";  ///< name and version of the form

namespace detail {

using MatrixReader = FormReader<nlohmann::json>;

[[nodiscard]] VersionMatrix read_matrix_form(MatrixReader& reader, const nlohmann::json& json);

}  // namespace detail

/// Reads a matrix and checks it. Errors: `malformed`, with the place, the rule, and the nearest name for one that is
/// not known.
[[nodiscard]] inline Result<VersionMatrix> parse_matrix(std::string_view text) {
  return detail::read_form(text, std::string("matrix in the form ") + matrix_schema, detail::read_matrix_form);
}

/// The same from a file. Errors: also `not_found` and `io`; the message names the file.
[[nodiscard]] inline Result<VersionMatrix> read_matrix(const std::filesystem::path& path) {
  return detail::read_form_file(path, parse_matrix);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/matrix_file.ipp"
#endif
