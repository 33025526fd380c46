// What Python cannot do itself: takes tensors over by DLPack, where they lie, and has libassay_host judge them while
// other threads of Python run.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/plugin/host.h"
#include "assay/tensor/dlpack.hpp"

namespace nb = nanobind;
namespace dlpack = assay::dlpack;

namespace {

/// A view of somebody's tensor, which is kept alive.
struct Tensor {
  assay::ImportedTensor owner;
  std::string format;
  std::uintptr_t data = 0;
  std::vector<std::int64_t> shape, strides;  ///< strides in elements
};

template <class Managed>
assay::Result<assay::ImportedTensor> take(const nb::object& capsule, const char* name, const char* used) {
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (managed == nullptr) throw nb::python_error();
  if (PyCapsule_SetName(capsule.ptr(), used) != 0) throw nb::python_error();
  const assay::Host host;
  return assay::ImportedTensor::take(host, managed);
}

/// `format`: what the elements are, where the producer has no word for it and gives their bits.
Tensor import_capsule(const nb::object& capsule, const std::optional<std::string>& format) {
  const bool versioned = PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned") != 0;
  if (!versioned && PyCapsule_IsValid(capsule.ptr(), "dltensor") == 0)
    throw nb::type_error("no capsule of DLPack was given, or one that was taken over before");
  auto taken = versioned
                   ? take<dlpack::ManagedTensorVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned")
                   : take<dlpack::ManagedTensor>(capsule, "dltensor", "used_dltensor");
  if (!taken) throw nb::value_error(taken.error().message.c_str());
  Tensor tensor;
  tensor.owner = std::move(taken).value();
  const assay::Operand& view = tensor.owner.operand();
  tensor.format = view.format.name;
  if (format) {
    const auto named = assay::element_format_named(*format);
    if (!named || named->bytes != view.format.bytes)
      throw nb::value_error(
          (*format + " is no format of elements of " + std::to_string(view.format.bytes) + " bytes").c_str());
    tensor.format = named->name;
  }
  tensor.data = reinterpret_cast<std::uintptr_t>(view.data);
  tensor.shape.assign(view.extents, view.extents + view.rank);
  tensor.strides.assign(view.strides, view.strides + view.rank);
  return tensor;
}

/// The same memory in other dimensions. The caller sees to it that they stay within the tensor.
Tensor viewed(const Tensor& tensor, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides) {
  if (shape.size() != strides.size()) throw nb::value_error("a shape and strides of as many dimensions are needed");
  Tensor view = tensor;
  view.shape = std::move(shape);
  view.strides = std::move(strides);
  return view;
}

using Answer = std::pair<int, std::string>;

void keep(void* context, const char* text, std::uint64_t length) {
  static_cast<std::string*>(context)->assign(text, length);
}

/// A tensor of a request: the operand's name, or none; whether the kernel wrote it; itself; what it held before.
using Given = std::tuple<std::optional<std::string>, bool, std::optional<Tensor>, std::optional<Tensor>>;

Answer check(const std::string& operation, const std::vector<std::pair<std::string, std::string>>& attributes,
             const std::vector<Given>& given, const std::optional<std::string>& tolerance,
             const std::optional<std::string>& accumulator, double function_errors, bool statistical, bool diagnosis) {
  std::vector<const char*> names, values;
  for (const auto& [name, value] : attributes) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  std::vector<assay_plugin_tensor> tensors(given.size());
  std::vector<assay_check_tensor> checked(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [name, written, tensor, before] = given[i];
    if (!tensor) continue;
    assay_plugin_tensor& described = tensors[i];
    described.size = sizeof described;
    described.name = name ? name->c_str() : nullptr;
    described.format = tensor->format.c_str();
    described.role = written ? ASSAY_PLUGIN_OUTPUT : ASSAY_PLUGIN_INPUT;
    described.array.data = reinterpret_cast<void*>(tensor->data);
    described.array.device.device_type = 1;
    described.array.ndim = static_cast<std::int32_t>(tensor->shape.size());
    described.array.shape = const_cast<std::int64_t*>(tensor->shape.data());
    described.array.strides = const_cast<std::int64_t*>(tensor->strides.data());
    checked[i].tensor = &described;
    if (before) {
      if (before->shape != tensor->shape || before->strides != tensor->strides || before->format != tensor->format)
        throw nb::value_error("`before` must have the shape, strides and dtype of the output that it was");
      checked[i].before = reinterpret_cast<const void*>(before->data);
    }
  }
  assay_check_request request{};
  request.size = sizeof request;
  request.operation = operation.c_str();
  request.attribute_count = names.size();
  request.attribute_names = names.data();
  request.attribute_values = values.data();
  request.tensor_count = checked.size();
  request.tensors = checked.data();
  request.tolerance = tolerance ? tolerance->c_str() : nullptr;
  request.accumulator = accumulator ? accumulator->c_str() : nullptr;
  request.function_errors = function_errors;
  request.statistical = statistical ? 1 : 0;
  request.no_diagnosis = diagnosis ? 0 : 1;
  std::string text;
  int code = 2;
  {
    const nb::gil_scoped_release released;
    code = assay_check(&request, &keep, &text);
  }
  return {code, text};
}

Answer describe(const std::optional<std::string>& operation) {
  std::string text;
  const int code = assay_describe(operation ? operation->c_str() : nullptr, &keep, &text);
  return {code, text};
}

Answer html(const std::string& report) {
  std::string text;
  const int code = assay_html(report.c_str(), &keep, &text);
  return {code, text};
}

}  // namespace

NB_MODULE(_assay, module) {
  module.doc() = "The part of Assay's Python package that is compiled.";
  nb::class_<Tensor>(module, "Tensor", "A view of a tensor of another library, which it keeps alive.")
      .def_prop_ro("shape", [](const Tensor& tensor) { return nb::tuple(nb::cast(tensor.shape)); })
      .def_prop_ro("strides", [](const Tensor& tensor) { return nb::tuple(nb::cast(tensor.strides)); })
      .def_ro("format", &Tensor::format, "The format of its elements: \"f32\", \"bf16\".")
      .def_ro("data", &Tensor::data, "The address of its first element.")
      .def_prop_ro("is_copied", [](const Tensor& tensor) { return tensor.owner.is_copied(); })
      .def("viewed", &viewed, nb::arg("shape"), nb::arg("strides"));
  module.def("import_capsule", &import_capsule, nb::arg("capsule"), nb::arg("format").none() = nb::none());
  module.def("check", &check, nb::arg("operation"), nb::arg("attributes"), nb::arg("tensors"),
             nb::arg("tolerance").none(), nb::arg("accumulator").none(), nb::arg("function_errors"),
             nb::arg("statistical"), nb::arg("diagnosis"));
  module.def("describe", &describe, nb::arg("operation").none());
  module.def("html", &html, nb::arg("report"));
}
