#pragma once

#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"

#include <unistd.h>

#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/door_message.hpp"
#include "assay/frameworks/detail/onnx_runtime_library.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::OnnxRuntime(std::unique_ptr<detail::OnnxRuntimeLibrary> library)
    : library_(std::move(library)) {}
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::OnnxRuntime(OnnxRuntime&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime& OnnxRuntime::operator=(OnnxRuntime&&) noexcept = default;
ASSAY_DETAIL_HEADER_INLINE OnnxRuntime::~OnnxRuntime() = default;

ASSAY_DETAIL_HEADER_INLINE Result<OnnxRuntime> OnnxRuntime::open(const std::string& path) {
  auto library = std::make_unique<detail::OnnxRuntimeLibrary>();
  if (auto opened = library->open(path); !opened) return opened.propagate();
  return OnnxRuntime(std::move(library));
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> OnnxRuntime::describe() {
  return library_->describe();
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> OnnxRuntime::run(const GraphProgram& program,
                                                             const std::vector<GraphTensor>& inputs) {
  return library_->run(program, inputs);
}

ASSAY_DETAIL_HEADER_INLINE int serve_onnx_runtime(const std::string& path) {
  auto runtime = OnnxRuntime::open(path);
  const auto told = [](detail::DoorAnswer& answer, const Error& error) {
    answer.failed = true;
    answer.kind = error.kind;
    answer.message = error.message;
  };
  for (std::string bytes; detail::receive_door_message(detail::door_channel, bytes);) {
    detail::DoorRequest request;
    detail::ByteReader reader(bytes);
    reader(request);
    detail::DoorAnswer answer;
    if (!reader.complete()) {
      told(answer, {ErrorKind::malformed, "the request cannot be read"});
    } else if (!runtime) {
      told(answer, runtime.error());
    } else if (request.describe) {
      if (auto description = runtime.value().describe())
        answer.description = std::move(description).value();
      else
        told(answer, description.error());
    } else if (auto run = runtime.value().run(request.program, request.inputs)) {
      answer.run = std::move(run).value();
    } else {
      told(answer, run.error());
    }
    detail::ByteWriter writer;
    writer(answer);
    if (!detail::send_door_message(detail::door_channel, writer.take())) return 1;
  }
  ::_exit(0);  // destructors of runtimes hang and crash
}

}  // namespace assay::inline v0
