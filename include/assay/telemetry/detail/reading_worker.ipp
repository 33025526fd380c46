#pragma once

#include "assay/telemetry/detail/reading_worker.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t start = 0;;) {
    const std::size_t end = std::min(line.find('\t', start), line.size());
    fields.emplace_back(line.substr(start, end - start));
    if (end == line.size()) return fields;
    start = end + 1;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string worker_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Result<ReadingWorker> ReadingWorker::start(const std::vector<std::string>& command) {
  const FileDescriptor memory(::memfd_create("readings", MFD_CLOEXEC));
  if (!memory || ::ftruncate(memory.number(), worker_page_size) != 0)
    return system_failure("no page to share with a worker for readings");
  void* const page = ::mmap(nullptr, worker_page_size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.number(), 0);
  if (page == MAP_FAILED) return system_failure("no page to share with a worker for readings");
  auto* const slots = static_cast<volatile std::uint64_t*>(page);
  slots[0] = ~std::uint64_t{0};
  auto worker = ExecutedWorker::start({.arguments = command, .shared = {memory.number()}});
  if (worker) return ReadingWorker(std::move(worker).value(), slots);
  ::munmap(page, worker_page_size);
  return failure(worker.error().kind, "no worker for readings could be started: " + worker.error().message);
}

ASSAY_DETAIL_HEADER_INLINE ReadingWorker::~ReadingWorker() {
  if (page_ != nullptr) ::munmap(const_cast<std::uint64_t*>(page_), worker_page_size);
}

ASSAY_DETAIL_HEADER_INLINE std::string ReadingWorker::end() {
  const Ending ended = worker_.end();
  if (ended.kind == Ending::Kind::timeout) return {};
  const std::string words = last_words(worker_.output());
  return description_of(ended) + (words.empty() ? "" : "; its last words: " + words);
}

}  // namespace assay::inline v0::detail
