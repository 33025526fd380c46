#pragma once

#include "assay/gpgpu/detail/wgsl_message.hpp"

#include <cstddef>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string wgsl_message(const std::string& file, const std::string& complaint) {
  const auto line_from = [&](std::size_t at) { return complaint.substr(at, complaint.find('\n', at) - at); };
  static const std::string corner = "\u250C\u2500 ", error = " error: ";
  const std::size_t cause = complaint.find(error), place = complaint.find(corner);
  if (cause != std::string::npos && place != std::string::npos) {
    const std::string where = line_from(place + corner.size());
    const std::size_t column = where.rfind(':'), line = column == 0 ? column : where.rfind(':', column - 1);
    std::string text = file;
    if (line < column && column != std::string::npos) text += where.substr(line);
    text += ": " + line_from(cause + error.size());
    const std::size_t caret = complaint.find("^ ", place);
    const std::string annotation = caret == std::string::npos ? "" : line_from(caret + 2);
    if (!annotation.empty() && text.find(annotation) == std::string::npos) text += " (" + annotation + ")";
    return text;
  }
  std::string text;
  for (std::size_t at = 0; at < complaint.size(); at += line_from(at).size() + 1) {
    std::string line = line_from(at);
    line.erase(0, line.find_first_not_of(' '));
    if (!line.empty() && line != "Validation Error" && line != "Caused by:") text += (text.empty() ? "" : "; ") + line;
  }
  return file + ": " + text;
}

}  // namespace assay::inline v0::detail
