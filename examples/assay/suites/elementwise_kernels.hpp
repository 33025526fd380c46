#pragma once

#include <optional>
#include <string_view>

#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay_program {

/// The elementwise kernels of the backend of that name; none where it has none.
[[nodiscard]] std::optional<assay::OperationSubject<assay::Elementwise>> elementwise_kernels(std::string_view backend);

}  // namespace assay_program
