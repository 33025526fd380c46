// components: json
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "assay/core/version.hpp"
#include "assay/report/json.hpp"
#include "assay_dlpack.h"
#include "request.hpp"

namespace {

using example::Request;

thread_local std::string report;

std::int32_t code_of(assay::Verdict verdict) {
  switch (verdict) {
    case assay::Verdict::pass: return ASSAY_PASS;
    case assay::Verdict::fail: return ASSAY_FAIL;
    case assay::Verdict::unsupported: return ASSAY_UNSUPPORTED;
    case assay::Verdict::inconclusive: return ASSAY_INCONCLUSIVE;
    default: return ASSAY_ERROR;
  }
}

std::int32_t finish(assay::Outcome outcome, std::int32_t code) {
  assay::Run run;
  run.title = "assay_dlpack";
  run.environment.assay_version = assay::version;
  run.planned_cases = 1;
  run.outcomes.push_back(std::move(outcome));
  report = assay::json_text(run);
  return code;
}

std::int32_t misuse(const std::string& what) {
  return finish(example::refused(assay::ErrorKind::invalid, what), ASSAY_MISUSE);
}

/// Owns the tensors from here on. Of one that was given twice there is one owner.
void own(Request& request, const char* name, const assay_tensor& tensor, const void* earlier) {
  example::GivenTensor given;
  if (tensor.managed != earlier) {
    if (tensor.versioned != 0)
      given.versioned.reset(static_cast<assay::dlpack::ManagedTensorVersioned*>(tensor.managed));
    else
      given.older.reset(static_cast<assay::dlpack::ManagedTensor*>(tensor.managed));
  }
  request.tensors.emplace_back(name, std::move(given));
}

assay::Outcome answer_where_it_lies(Request& request) {
  std::optional<assay::dlpack::Device> cuda;
  for (const auto& [name, tensor] : request.tensors)
    if (const auto device = tensor.device(); device && device->device_type == assay::dlpack::DeviceType::cuda)
      cuda = device;
  if (cuda) {
#if defined(ASSAY_DLPACK_CUDA)
    return example::answer_on_cuda(cuda->device_id, request);
#else
    return example::refused(assay::ErrorKind::unsupported,
                            "tensors on " + assay::name_of(*cuda) +
                                " were given, and this library was built without CUDA; configure Assay with "
                                "-DCUDA_ARCH=90, or what the device is");
#endif
  }
  return example::answer_on_host(request);
}

std::int32_t run(Request& request, const assay_options* options) {
  for (const auto& [name, tensor] : request.tensors)
    if (tensor.versioned == nullptr && tensor.older == nullptr)
      return misuse(std::string(name) +
                    " is null, or a tensor that was given already; give a tensor of its own for each");
  if (options != nullptr) {
    assay_options known{};
    if (options->size < sizeof(known.size))
      return misuse("options.size is " + std::to_string(options->size) + "; set it to sizeof(struct assay_options)");
    std::memcpy(&known, options, std::min<std::size_t>(options->size, sizeof known));
    if (options->size > sizeof known) {
      const char* const more = reinterpret_cast<const char*>(options);
      if (std::any_of(more + sizeof known, more + options->size, [](char byte) { return byte != 0; }))
        return misuse("options has members that this library does not know, and they are set; use a newer library");
    }
    if (known.accumulator != nullptr) request.accumulator = known.accumulator;
    if (!request.accumulator.empty() && request.accumulator != "f32" && request.accumulator != "f64")
      return misuse("accumulator is '" + request.accumulator + "'; 'f32' and 'f64' are known");
    if (known.statistical != 0) request.errors = assay::RoundingModel::statistical;
    if (known.has_stream != 0) request.stream = known.stream;
  }
  assay::Outcome outcome = answer_where_it_lies(request);
  const std::int32_t code = code_of(outcome.verdict);
  return finish(std::move(outcome), code);
}

/// Nothing is thrown across the border.
template <class Call>
std::int32_t guarded(const Call& call) noexcept {
  try {
    try {
      return call();
    } catch (const std::exception& caught) {
      return finish(example::refused(assay::ErrorKind::device, caught.what()), ASSAY_ERROR);
    }
  } catch (...) {
    report.clear();
    return ASSAY_ERROR;
  }
}

}  // namespace

extern "C" {

int32_t assay_dlpack_abi(void) {
  return ASSAY_DLPACK_ABI;
}

int32_t assay_dlpack_has_device(int32_t device_type) {
#if defined(ASSAY_DLPACK_CUDA)
  return device_type == 1 || device_type == 2 ? 1 : 0;
#else
  return device_type == 1 ? 1 : 0;
#endif
}

int32_t assay_check_softmax(struct assay_tensor input, struct assay_tensor output, int32_t dimension, int32_t logarithm,
                            const struct assay_options* options) {
  return guarded([&] {
    Request request;
    request.operation = Request::Operation::softmax;
    own(request, "input", input, nullptr);
    own(request, "output", output, input.managed);
    request.dimension = dimension;
    request.logarithm = logarithm != 0;
    return run(request, options);
  });
}

int32_t assay_check_gemm(struct assay_tensor a, struct assay_tensor b, struct assay_tensor c,
                         const struct assay_options* options) {
  return guarded([&] {
    Request request;
    request.operation = Request::Operation::gemm;
    own(request, "A", a, nullptr);
    own(request, "B", b, a.managed);
    own(request, "C", c, c.managed == b.managed ? b.managed : a.managed);
    return run(request, options);
  });
}

uint64_t assay_dlpack_report(char* buffer, uint64_t capacity) {
  if (buffer != nullptr && capacity > 0) {
    const std::size_t length = std::min<std::size_t>(report.size(), capacity - 1);
    std::memcpy(buffer, report.data(), length);
    buffer[length] = '\0';
  }
  return report.size() + 1;
}

}  // extern "C"
