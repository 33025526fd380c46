#pragma once

#include "assay/core/process/worker_output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<WorkerOutput> WorkerOutput::open() {
  auto file = open_nameless_file();
  if (!file) return file.propagate();
  return WorkerOutput(std::move(file).value());
}

ASSAY_DETAIL_HEADER_INLINE std::string WorkerOutput::last(std::size_t size) const {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0 || status.st_size <= 0) return earlier_;
  std::string bytes(std::min(size + 1, static_cast<std::size_t>(status.st_size)), '\0');
  const ssize_t read =
      ::pread(file_.number(), bytes.data(), bytes.size(), status.st_size - static_cast<off_t>(bytes.size()));
  bytes.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
  return bytes.size() > size ? bytes : earlier_ + bytes;
}

ASSAY_DETAIL_HEADER_INLINE void WorkerOutput::limit(std::size_t size) {
  constexpr off_t largest = off_t{16} << 20;
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0 || status.st_size < largest) return;
  earlier_ = last(size);
  static_cast<void>(!::ftruncate(file_.number(), 0));
}

ASSAY_DETAIL_HEADER_INLINE std::string_view last_line(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= 32) text.remove_suffix(1);
  const std::size_t before = text.rfind('\n');
  return before == text.npos ? text : text.substr(before + 1);
}

ASSAY_DETAIL_HEADER_INLINE std::string last_words(const WorkerOutput& output, std::size_t size) {
  std::string text = output.last(size);
  if (text.size() > size) text.erase(0, text.size() - size);
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 32) letter = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace assay::inline v0::detail
