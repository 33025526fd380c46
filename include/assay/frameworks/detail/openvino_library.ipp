#pragma once

#include "assay/frameworks/detail/openvino_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE OpenVinoLibrary::~OpenVinoLibrary() {
  if (library_ != nullptr) forget_model();
}

ASSAY_DETAIL_HEADER_INLINE void* OpenVinoLibrary::symbol(const char* name) const {
  return ::dlsym(library_, name);
}

ASSAY_DETAIL_HEADER_INLINE Failure OpenVinoLibrary::missing(const char* name, const char* what) const {
  return failure(ErrorKind::unsupported,
                 path_ + " (" + version_ + ") has no function " + name + ", which is needed to " + what);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::judged(int status, const char* what) const {
  if (status == 0) return {};
  std::string message;
  if (void* const last = symbol(ov::last_error); last != nullptr && status != ov::invalid_argument)
    if (const char* const said = reinterpret_cast<const char* (*)()>(last)()) message = said;
  if (void* const info = symbol(ov::error_info); info != nullptr && message.empty())
    if (const char* const said = reinterpret_cast<const char* (*)(int)>(info)(status)) message = said;
  if (message.empty()) message = "it gave no message";
  std::replace(message.begin(), message.end(), '\n', ' ');
  const bool unwritten = status == ov::not_implemented || status == ov::no_such_function;
  return failure(
      unwritten ? ErrorKind::unsupported : ErrorKind::device,
      "OpenVINO " + version_ + " could not " + what + " (status " + std::to_string(status) + "): " + message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::open(const std::string& path) {
  path_ = path;
  library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::not_found, path + " could not be loaded: " + (reason != nullptr ? reason : "no reason"));
  }
  if (symbol(ov::version) == nullptr || symbol(ov::create_core) == nullptr)
    return failure(ErrorKind::unsupported, path + " is no C interface of OpenVINO: it has no " + ov::create_core);
  ov::Version told;
  if (auto done = call<ov::Version*>(ov::version, "tell its version", &told); !done) return done;
  version_ = told.build != nullptr ? told.build : "of unknown version";
  if (void* const function = symbol(ov::free_version)) reinterpret_cast<void (*)(ov::Version*)>(function)(&told);
  return check_element_types();
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::check_element_types() {
  for (const TensorType type : {TensorType::float32, TensorType::float64, TensorType::uint8, TensorType::int64}) {
    std::int64_t extent = 8;
    std::size_t bytes = 0;
    Handle tensor = nullptr;
    auto done = call<int, ov::Shape, Handle*>(ov::create_tensor, "make a tensor",
                                              ov::to_openvino(static_cast<int>(type)), ov::Shape{1, &extent}, &tensor);
    if (done) done = call<Handle, std::size_t*>(ov::tensor_bytes, "tell a tensor's size", tensor, &bytes);
    release(ov::free_tensor, tensor);
    if (!done) return done;
    if (bytes != static_cast<std::size_t>(bits_of(type)))
      return failure(ErrorKind::unsupported, path_ + " (" + version_ + ") gives 8 elements of " +
                                                 std::string(name_of(type)) + " " + std::to_string(bytes) +
                                                 " bytes: it numbers element types otherwise than 2025.0 and later");
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::prepare() {
  if (core_ != nullptr) return {};
  if (auto made = call<Handle*>(ov::create_core, "make a core", &core_); !made) return made;
  if (core_ == nullptr)
    return failure(ErrorKind::device, "OpenVINO " + version_ + " reported success and made no core");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> OpenVinoLibrary::describe() {
  if (auto prepared = prepare(); !prepared) return prepared.propagate();
  ExecutorDescription description{version_, {}};
  ov::Devices devices;
  if (auto told = call<Handle, ov::Devices*>(ov::devices, "list its devices", core_, &devices); !told)
    return told.propagate();
  for (std::size_t i = 0; devices.names != nullptr && i < devices.count; ++i)
    if (devices.names[i] != nullptr) description.providers.emplace_back(devices.names[i]);
  if (void* const function = symbol(ov::free_devices)) reinterpret_cast<void (*)(ov::Devices*)>(function)(&devices);
  return description;
}

ASSAY_DETAIL_HEADER_INLINE void OpenVinoLibrary::forget_model() {
  release(ov::free_request, request_);
  release(ov::free_compiled, compiled_);
  program_ = {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::compile(const GraphProgram& program) {
  const ExecutionMode &own = program_.mode, &asked = program.mode;
  if (request_ != nullptr && program_.model == program.model && own.provider.name == asked.provider.name &&
      own.provider.options == asked.provider.options && own.threads == asked.threads)
    return {};
  forget_model();
  auto read = read_onnx_model(program.model);
  if (!read) return read.propagate();
  const auto& properties = asked.provider.options;
  // Handed over as a list of variable length, of which the library reads as many as it is told.
  constexpr std::size_t most = 12;
  std::vector<std::string> texts{"PERF_COUNT", "YES"};
  if (asked.provider.name == "CPU") {
    texts.insert(texts.end(), {"INFERENCE_NUM_THREADS", std::to_string(asked.threads)});
  }
  for (const auto& [key, value] : properties) texts.insert(texts.end(), {key, value});
  if (texts.size() > most)
    return failure(ErrorKind::unsupported, "more than 4 properties of OpenVINO at once are not handed over");
  std::array<const char*, most> given{};
  for (std::size_t i = 0; i < texts.size(); ++i) given[i] = texts[i].c_str();
  Handle model = nullptr;
  auto done = call<Handle, const char*, std::size_t, Handle, Handle*>(
      ov::read_model, "read the model", core_, program.model.data(), program.model.size(), nullptr, &model);
  void* const compile_model = symbol(ov::compile_model);
  if (done && compile_model == nullptr) done = missing(ov::compile_model, "compile the model");
  if (done) {
    const auto function =
        reinterpret_cast<int (*)(Handle, Handle, const char*, std::size_t, Handle*, ...)>(compile_model);
    done = judged(
        function(core_, model, asked.provider.name.c_str(), texts.size(), &compiled_, given[0], given[1], given[2],
                 given[3], given[4], given[5], given[6], given[7], given[8], given[9], given[10], given[11]),
        ("compile the model for " + asked.provider.name).c_str());
  }
  release(ov::free_model, model);
  // A runtime that refuses a model says of no number that it is right.
  if (!done) return failure(ErrorKind::unsupported, done.error().message);
  if (compiled_ == nullptr)
    return failure(ErrorKind::device, "OpenVINO " + version_ + " reported success and compiled nothing");
  if (auto checked = check_device(asked.provider.name); !checked) return checked;
  if (auto made = call<Handle, Handle*>(ov::create_request, "make a request", compiled_, &request_); !made) return made;
  inputs_.clear();
  outputs_.clear();
  for (const GraphValue& value : read.value().graph.inputs) inputs_.push_back(value.name);
  for (const GraphValue& value : read.value().graph.outputs) outputs_.push_back(value.name);
  program_ = program;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::check_device(const std::string& asked) {
  char* told = nullptr;
  if (auto done =
          call<Handle, const char*, char**>(ov::property, "tell who computes", compiled_, "EXECUTION_DEVICES", &told);
      !done)
    return failure(ErrorKind::unsupported, done.error().message);
  const std::string devices = told != nullptr ? told : "";
  if (void* const function = symbol(ov::free_text)) reinterpret_cast<void (*)(const char*)>(function)(told);
  if (devices == asked || devices.rfind(asked + ".", 0) == 0) return {};
  return failure(ErrorKind::unsupported, "the model was compiled for '" + devices + "', not for " + asked);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::bind(const GraphTensor& input, std::vector<Handle>& tensors) {
  if (std::find(inputs_.begin(), inputs_.end(), input.name) == inputs_.end())
    return failure(ErrorKind::invalid, "the model has no input '" + input.name + "'");
  Handle port = nullptr;
  const bool is_used = static_cast<bool>(
      call<Handle, const char*, Handle*>(ov::input_port, "find an input", compiled_, input.name.c_str(), &port));
  release(ov::free_port, port);
  if (!is_used) return {};  // no node reads it, and the compiled model has no such input
  const int type = ov::to_openvino(static_cast<int>(input.type));
  if (type < 0)
    return failure(ErrorKind::unsupported, "OpenVINO has no elements of type " + std::string(name_of(input.type)));
  static std::uint64_t nothing[2] = {};
  std::vector<std::int64_t> extents = input.extents;
  Handle tensor = nullptr;
  if (auto done = call<int, ov::Shape, void*, Handle*>(
          ov::wrap_tensor, "take an input", type,
          ov::Shape{static_cast<std::int64_t>(extents.size()), extents.empty() ? nullptr : extents.data()},
          input.bytes.empty() ? static_cast<void*>(nothing) : const_cast<char*>(input.bytes.data()), &tensor);
      !done)
    return done;
  tensors.push_back(tensor);
  return call<Handle, const char*, Handle>(ov::set_tensor, ("bind the input '" + input.name + "'").c_str(), request_,
                                           input.name.c_str(), tensor);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OpenVinoLibrary::read_shape(Handle tensor, ov::Shape& shape) const {
  constexpr const char* what = "tell an output's extents";
  void* const function = symbol(ov::tensor_shape);
  if (function == nullptr) return missing(ov::tensor_shape, what);
  const int status = reinterpret_cast<int (*)(Handle, ov::Shape*)>(function)(tensor, &shape);
  if (status != ov::invalid_argument) return judged(status, what);
  shape = {};
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> OpenVinoLibrary::fetch_from(Handle result, const std::string& name) {
  GraphTensor tensor;
  tensor.name = name;
  int type = 0;
  ov::Shape shape;
  auto done = call<Handle, int*>(ov::tensor_type, "tell an output's type", result, &type);
  if (done) done = read_shape(result, shape);
  if (!done) return done.propagate();
  if (shape.rank < 0 || shape.rank > 64)
    return failure(ErrorKind::device, "an output has " + std::to_string(shape.rank) + " dimensions");
  if (shape.extents != nullptr) tensor.extents.assign(shape.extents, shape.extents + shape.rank);
  if (void* const function = symbol(ov::free_shape)) reinterpret_cast<int (*)(ov::Shape*)>(function)(&shape);
  const int own = ov::from_openvino(type);
  tensor.type = own < 0 ? TensorType::undefined : static_cast<TensorType>(own);
  const std::int64_t due = tensor.byte_size();
  if (own < 0 || due < 0)
    return failure(ErrorKind::unsupported, "output '" + name + "' has OpenVINO's element type " + std::to_string(type) +
                                               " and is " + shape_text(tensor.type, tensor.extents) +
                                               ", of which no numbers are taken");
  std::size_t bytes = 0;
  void* data = nullptr;
  done = call<Handle, std::size_t*>(ov::tensor_bytes, "tell an output's size", result, &bytes);
  if (done) done = call<Handle, void**>(ov::tensor_data, "give an output's data", result, &data);
  if (!done) return done.propagate();
  if (static_cast<std::int64_t>(bytes) != due)
    return failure(ErrorKind::device, "output '" + name + "' is " + shape_text(tensor.type, tensor.extents) + " of " +
                                          std::to_string(bytes) + " bytes");
  if (data == nullptr && bytes > 0) return failure(ErrorKind::device, "output '" + name + "' has no data");
  if (bytes > 0) tensor.bytes.assign(static_cast<const char*>(data), bytes);
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> OpenVinoLibrary::fetch(const std::string& name) {
  Handle result = nullptr;
  if (auto done = call<Handle, const char*, Handle*>(ov::get_tensor, ("give the output '" + name + "'").c_str(),
                                                     request_, name.c_str(), &result);
      !done)
    return done.propagate();
  if (result == nullptr)
    return failure(ErrorKind::device, "OpenVINO " + version_ + " reported success and gave no output '" + name + "'");
  auto tensor = fetch_from(result, name);
  release(ov::free_tensor, result);
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<NodeAssignment>> OpenVinoLibrary::read_profile(
    const std::string& device) {
  ov::Profiles profiles;
  if (auto done = call<Handle, ov::Profiles*>(ov::profile, "tell how the nodes were computed", request_, &profiles);
      !done)
    return done.propagate();
  const auto text = [](const char* said) { return std::string(said != nullptr ? said : ""); };
  std::vector<NodeAssignment> nodes;
  for (std::size_t i = 0; profiles.all != nullptr && i < profiles.count; ++i) {
    const ov::Profile& own = profiles.all[i];
    if (own.status == ov::executed) nodes.push_back({text(own.node), text(own.operation), device, text(own.execution)});
  }
  if (void* const function = symbol(ov::free_profile)) reinterpret_cast<void (*)(ov::Profiles*)>(function)(&profiles);
  return nodes;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> OpenVinoLibrary::run(const GraphProgram& program,
                                                                 const std::vector<GraphTensor>& inputs) {
  if (auto prepared = prepare(); !prepared) return prepared.propagate();
  if (auto compiled = compile(program); !compiled) {
    forget_model();
    return compiled.propagate();
  }
  std::vector<Handle> tensors;
  Result<void> done;
  for (const GraphTensor& input : inputs)
    if (done) done = bind(input, tensors);
  if (done) done = call<Handle>(ov::infer, "run the model", request_);
  GraphRun run;
  for (const std::string& name : outputs_) {
    if (!done) break;
    auto output = fetch(name);
    if (output)
      run.outputs.push_back(std::move(output).value());
    else
      done = output.propagate();
  }
  if (done) {
    auto nodes = read_profile(program.mode.provider.name);
    if (nodes)
      run.assignment = std::move(nodes).value();
    else
      done = nodes.propagate();
  }
  for (Handle tensor : tensors) release(ov::free_tensor, tensor);
  if (!done) {
    forget_model();  // which may still know the tensors that are gone
    return done.propagate();
  }
  return run;
}

}  // namespace assay::inline v0::detail
