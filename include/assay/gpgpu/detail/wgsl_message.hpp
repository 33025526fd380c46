#pragma once

#include <string>

namespace assay::inline v0::detail {

/// What wgpu-native complains of, in a line. Of its compiler "Shader '' parsing error: expected ';' … ┌─ wgsl:3:10 …
/// ^ here" becomes "file:3:10: expected ';' (here)"; of others there are the lines that say something.
[[nodiscard]] std::string wgsl_message(const std::string& file, const std::string& complaint);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/detail/wgsl_message.ipp"
#endif
