// The part of host.h that judges tensors which somebody has: assay_check, assay_describe, assay_html.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/core/monotonic_time.hpp"
#include "assay/core/version.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/formats/format_list.hpp"
#include "assay/plugin/host.h"
#include "assay/report/html.hpp"
#include "assay/report/json.hpp"
#include "assay/tensor/dlpack_format.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "given_arrays.hpp"

namespace {

using namespace assay_program;
using assay::ErrorKind;
using assay::failure;

assay::Result<GivenArray> array_of(const assay_check_tensor& given, std::uint64_t place) {
  GivenArray array;
  array.name = "tensor " + std::to_string(place);
  if (given.tensor == nullptr) {
    array.place = ArrayPlace::read;
    array.absent = true;
    return array;
  }
  const assay_plugin_tensor& tensor = *given.tensor;
  array.place = tensor.role == ASSAY_PLUGIN_INPUT ? ArrayPlace::read : ArrayPlace::written;
  if (tensor.name != nullptr) array.name = array.operand = tensor.name;
  const assay_plugin_array& there = tensor.array;
  if (there.device.device_type != 1)
    return failure(ErrorKind::unsupported, array.name + " is not in memory of the host; copy it there");
  if (tensor.format != nullptr) {
    array.format = assay::element_format_named(tensor.format);
    if (!array.format)
      return failure(ErrorKind::unsupported, array.name + ": '" + tensor.format + "' is no format of elements");
  } else {
    const auto format = assay::element_format_of({there.dtype.code, there.dtype.bits, there.dtype.lanes});
    if (!format) return failure(format.error().kind, array.name + ": " + format.error().message);
    array.format = format.value();
  }
  if (there.ndim < 0 || (there.ndim > 0 && there.shape == nullptr))
    return failure(ErrorKind::invalid, array.name + " has no shape");
  array.shape.assign(there.shape, there.shape + there.ndim);
  if (there.strides != nullptr) array.strides.assign(there.strides, there.strides + there.ndim);
  array.data = there.data == nullptr ? nullptr : static_cast<const char*>(there.data) + there.byte_offset;
  array.before = given.before;
  return array;
}

assay::Result<GivenCheck> check_of(const assay_check_request& request) {
  GivenCheck given;
  if (request.operation == nullptr) return failure(ErrorKind::invalid, "no operation is named");
  given.operation = request.operation;
  for (std::uint64_t i = 0; i < request.attribute_count; ++i)
    given.settings.push_back({request.attribute_names[i], request.attribute_values[i]});
  for (std::uint64_t i = 0; i < request.tensor_count; ++i) {
    auto array = array_of(request.tensors[i], i);
    if (!array) return array.propagate();
    given.arrays.push_back(std::move(array).value());
  }
  if (request.tolerance != nullptr) {
    const auto tolerance = assay::tolerance_named(request.tolerance);
    if (!tolerance) return tolerance.propagate();
    given.tolerance = tolerance.value();
  }
  if (request.accumulator != nullptr || request.function_errors != 0) {
    assay::Arithmetic arithmetic;
    const bool doubles = std::any_of(given.arrays.begin(), given.arrays.end(), [](const GivenArray& array) {
      return array.format == assay::element_format<double>();
    });
    if (doubles) arithmetic = assay::arithmetic_in<double>();
    if (request.accumulator != nullptr) {
      const auto model = assay::with_format(
          assay::FormatList<assay::float64, assay::float32, assay::tfloat32, assay::float16, assay::bfloat16>{},
          request.accumulator, []<class T>() { return assay::accumulation_in<T>(); });
      if (!model) return failure(ErrorKind::invalid, "accumulator: " + model.error().message);
      arithmetic.accumulation = model.value();
    }
    if (request.function_errors != 0) arithmetic.function_errors = request.function_errors;
    if (!(arithmetic.function_errors > 0)) return failure(ErrorKind::invalid, "function_errors must be above 0");
    given.arithmetic = arithmetic;
  }
  if (request.statistical != 0) given.rounding = assay::RoundingModel::statistical;
  given.diagnosis = request.no_diagnosis == 0;
  return given;
}

/// What is written where: every answer is one text.
struct Answer {
  assay_text_sink sink;
  void* context;

  [[nodiscard]] std::int32_t operator()(std::int32_t code, const std::string& text) const {
    if (sink != nullptr) sink(context, text.c_str(), text.size());
    return code;
  }
};

std::int32_t judge(const assay_check_request* request, const Answer& answer) {
  assay_check_request known{};
  if (request == nullptr || request->size < sizeof known.size) return answer(2, "no request was given");
  std::memcpy(&known, request, std::min<std::size_t>(request->size, sizeof known));
  const auto given = check_of(known);
  if (!given) return answer(2, given.error().message);
  const std::int64_t begin = assay::detail::monotonic_nanoseconds();
  const auto checked = check_arrays(given.value());
  if (!checked) return answer(2, checked.error().message);
  const assay::Outcome& outcome = checked.value();
  if (outcome.verdict == assay::Verdict::error || outcome.verdict == assay::Verdict::unsupported)
    return answer(2, outcome.reason);
  assay::Run run;
  run.title = given.value().operation;
  run.environment.assay_version = assay::version;
  run.planned_cases = 1;
  run.outcomes.push_back(outcome);
  run.duration_seconds = run.outcomes.back().duration_seconds =
      static_cast<double>(assay::detail::monotonic_nanoseconds() - begin) * 1e-9;
  return answer(outcome.verdict == assay::Verdict::pass ? 0 : 1, assay::json_text(run));
}

/// Nothing is thrown across the border.
template <class Call>
std::int32_t guarded(const Answer& answer, const Call& call) noexcept {
  try {
    try {
      return call();
    } catch (const std::exception& exception) {
      return answer(2, exception.what());
    }
  } catch (...) {
    return 2;
  }
}

}  // namespace

extern "C" {

int32_t assay_check(const assay_check_request* request, assay_text_sink sink, void* context) {
  const Answer answer{sink, context};
  return guarded(answer, [&] { return judge(request, answer); });
}

int32_t assay_describe(const char* operation, assay_text_sink sink, void* context) {
  const Answer answer{sink, context};
  return guarded(answer, [&] {
    if (operation == nullptr) return answer(0, nlohmann::json(checked_operations()).dump());
    const auto described = describe_operation(operation);
    return described ? answer(0, described.value()) : answer(2, described.error().message);
  });
}

int32_t assay_html(const char* report, assay_text_sink sink, void* context) {
  const Answer answer{sink, context};
  return guarded(answer, [&] {
    const auto run = assay::run_from_json(report == nullptr ? "" : report);
    return run ? answer(0, assay::html_text(run.value())) : answer(2, run.error().message);
  });
}

}  // extern "C"
