#pragma once

#include "assay/frameworks/detail/tensorflow_library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/own_symbols.hpp"
#include "assay/frameworks/detail/tensorflow_graph.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace assay::inline v0::detail {

/// Functions that every call needs.
inline constexpr const char* needed_of_tensorflow[] = {
    tf::new_status,    tf::code,           tf::message,      tf::set_status,    tf::new_tensor,
    tf::delete_tensor, tf::tensor_data,    tf::tensor_bytes, tf::type_size,     tf::device_count,
    tf::device_name,   tf::new_options,    tf::set_config,   tf::new_context,   tf::list_devices,
    tf::new_handle,    tf::delete_handle,  tf::handle_type,  tf::handle_rank,   tf::handle_extent,
    tf::handle_device, tf::copy_to_device, tf::resolve,      tf::new_operation, tf::delete_operation,
    tf::set_device,    tf::add_input,      tf::add_inputs,   tf::set_text,      tf::set_whole,
    tf::set_real,      tf::set_truth,      tf::set_type,     tf::set_wholes,    tf::execute};

ASSAY_DETAIL_HEADER_INLINE TensorFlowLibrary::~TensorFlowLibrary() {
  release(tf::delete_context, context_);
  release(tf::delete_status, status_);
}

ASSAY_DETAIL_HEADER_INLINE void* TensorFlowLibrary::symbol(const char* name) const {
  return ::dlsym(library_, name);
}

ASSAY_DETAIL_HEADER_INLINE void TensorFlowLibrary::release(const char* name, void* object) const {
  if (object == nullptr || library_ == nullptr) return;
  if (void* const own = symbol(name)) reinterpret_cast<void (*)(void*)>(own)(object);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TensorFlowLibrary::judged(const std::string& what) const {
  const int code = function<int (*)(void*)>(tf::code)(status_);
  if (code == 0) return {};
  const char* const said = function<const char* (*)(void*)>(tf::message)(status_);
  std::string message = said != nullptr && *said != '\0' ? said : "it gave no message";
  std::replace(message.begin(), message.end(), '\n', ' ');
  // Functions that succeed leave an older failure in the status.
  function<void (*)(void*, int, const char*)>(tf::set_status)(status_, 0, "");
  const bool unwritten = code == tf::unimplemented ||
                         message.find("Could not find device for node") != std::string::npos ||
                         message.find("is not in the list of allowed values") != std::string::npos;
  return failure(unwritten ? ErrorKind::unsupported : ErrorKind::device,
                 "TensorFlow " + version_ + " could not " + what + " (code " + std::to_string(code) + "): " + message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TensorFlowLibrary::open(const std::string& path) {
  path_ = path;
  library_ = ::dlopen(path.c_str(), own_symbols_first);
  if (library_ == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::not_found, path + " could not be loaded: " + (reason != nullptr ? reason : "no reason"));
  }
  if (symbol(tf::version) == nullptr)
    return failure(ErrorKind::unsupported,
                   path + " has no C interface of TensorFlow: it has no " + std::string(tf::version));
  const char* const told = function<const char* (*)()>(tf::version)();
  version_ = told != nullptr ? told : "of unknown version";
  for (const char* name : needed_of_tensorflow)
    if (symbol(name) == nullptr)
      return failure(ErrorKind::unsupported, path + " (TensorFlow " + version_ + ") has no function " + name);
  for (const TensorType type : {TensorType::float32, TensorType::float64, TensorType::bfloat16, TensorType::int64}) {
    const std::size_t bytes = function<std::size_t (*)(int)>(tf::type_size)(tf::to_tensorflow(type));
    if (8 * bytes != static_cast<std::size_t>(bits_of(type)))
      return failure(ErrorKind::unsupported, path + " (TensorFlow " + version_ + ") gives an element of " +
                                                 std::string(name_of(type)) + " " + std::to_string(bytes) +
                                                 " bytes: it numbers element types otherwise");
  }
  status_ = function<void* (*)()>(tf::new_status)();
  if (status_ == nullptr) return failure(ErrorKind::device, "TensorFlow " + version_ + " made no status");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TensorFlowLibrary::prepare(int threads) {
  if (context_ != nullptr && threads_ == threads) return {};
  release(tf::delete_context, context_);
  context_ = nullptr;
  void* const options = function<void* (*)()>(tf::new_options)();
  // A ConfigProto: numbers of threads within and between operators; operators stay where they are put.
  const char count = static_cast<char>(std::clamp(threads, 1, 127));
  const char config[] = {0x10, count, 0x28, count};
  function<void (*)(void*, const void*, std::size_t, void*)>(tf::set_config)(options, config, sizeof config, status_);
  auto done = judged("take the number of threads");
  if (done) {
    context_ = function<void* (*)(const void*, void*)>(tf::new_context)(options, status_);
    done = judged("make a context");
  }
  release(tf::delete_options, options);
  if (done && context_ == nullptr)
    return failure(ErrorKind::device, "TensorFlow " + version_ + " reported success and made no context");
  threads_ = threads;
  return done;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> TensorFlowLibrary::devices() const {
  void* const list = function<void* (*)(void*, void*)>(tf::list_devices)(context_, status_);
  if (auto done = judged("list its devices"); !done) return done.propagate();
  std::vector<std::string> names;
  const int count = function<int (*)(const void*)>(tf::device_count)(list);
  for (int i = 0; i < count; ++i) {
    const char* const name = function<const char* (*)(const void*, int, void*)>(tf::device_name)(list, i, status_);
    if (auto done = judged("name a device"); !done) return done.propagate();
    if (name != nullptr) names.emplace_back(name);
  }
  release(tf::delete_devices, list);
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> TensorFlowLibrary::describe() {
  if (auto prepared = prepare(1); !prepared) return prepared.propagate();
  auto names = devices();
  if (!names) return names.propagate();
  return ExecutorDescription{version_, std::move(names).value()};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TensorFlowLibrary::choose_device(const std::string& asked) {
  const auto names = devices();
  if (!names) return names.propagate();
  std::string type = asked, all;
  for (char& letter : type) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (const std::string& name : names.value()) {
    all += " " + name;
    if (name.find("device:" + type + ":0") != std::string::npos) {
      device_ = name;
      return {};
    }
  }
  return failure(ErrorKind::not_found,
                 "TensorFlow " + version_ + " has no device of type " + type + "; there are" + all);
}

ASSAY_DETAIL_HEADER_INLINE Result<EagerTensor> TensorFlowLibrary::adopt(void* handle) const {
  if (handle == nullptr)
    return failure(ErrorKind::device, "TensorFlow " + version_ + " reported success and gave no tensor");
  EagerTensor tensor;
  const auto delete_handle = function<void (*)(void*)>(tf::delete_handle);
  tensor.handle = std::shared_ptr<void>(handle, [delete_handle](void* own) { delete_handle(own); });
  const int type = function<int (*)(void*)>(tf::handle_type)(handle);
  tensor.type = tf::from_tensorflow(type);
  if (tensor.type == TensorType::undefined)
    return failure(ErrorKind::unsupported,
                   "a tensor has TensorFlow's type " + std::to_string(type) + ", of which no numbers are taken");
  const int rank = function<int (*)(void*, void*)>(tf::handle_rank)(handle, status_);
  if (auto done = judged("compute a tensor"); !done) return done.propagate();
  for (int d = 0; d < rank; ++d) {
    tensor.extents.push_back(function<std::int64_t (*)(void*, int, void*)>(tf::handle_extent)(handle, d, status_));
    if (auto done = judged("tell a tensor's extents"); !done) return done.propagate();
  }
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<EagerTensor> TensorFlowLibrary::bring(const GraphTensor& tensor) const {
  const int type = tf::to_tensorflow(tensor.type);
  if (type == 0)
    return failure(ErrorKind::unsupported,
                   "elements of type " + std::string(name_of(tensor.type)) + " are not handed to TensorFlow");
  using Release = void (*)(void*, std::size_t, void*);
  const Release keep = [](void*, std::size_t, void*) {};
  void* const own = function<void* (*)(int, const std::int64_t*, int, void*, std::size_t, Release, void*)>(
      tf::new_tensor)(type, tensor.extents.data(), static_cast<int>(tensor.extents.size()),
                      const_cast<char*>(tensor.bytes.data()), tensor.bytes.size(), keep, nullptr);
  if (own == nullptr)
    return failure(ErrorKind::device,
                   "TensorFlow " + version_ + " took no tensor of " + shape_text(tensor.type, tensor.extents));
  void* const handle = function<void* (*)(const void*, void*)>(tf::new_handle)(own, status_);
  release(tf::delete_tensor, own);
  if (auto done = judged("take a tensor"); !done) return done.propagate();
  auto here = adopt(handle);
  if (!here || device_.find("device:CPU:") != std::string::npos) return here;
  void* const there = function<void* (*)(void*, void*, const char*, void*)>(tf::copy_to_device)(
      handle, context_, device_.c_str(), status_);
  if (auto done = judged("copy a tensor to " + device_); !done) return done.propagate();
  return adopt(there);
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> TensorFlowLibrary::fetch(const EagerTensor& tensor) const {
  GraphTensor result{"", tensor.type, tensor.extents, {}, {}};
  void* const own = function<void* (*)(void*, void*)>(tf::resolve)(tensor.handle.get(), status_);
  if (auto done = judged("give a tensor"); !done) return done.propagate();
  if (own == nullptr) return failure(ErrorKind::device, "TensorFlow " + version_ + " gave no tensor for an output");
  const std::size_t bytes = function<std::size_t (*)(const void*)>(tf::tensor_bytes)(own);
  const void* const data = function<void* (*)(const void*)>(tf::tensor_data)(own);
  const bool whole = result.byte_size() == static_cast<std::int64_t>(bytes) && (bytes == 0 || data != nullptr);
  if (whole && bytes > 0) result.bytes.assign(static_cast<const char*>(data), bytes);
  release(tf::delete_tensor, own);
  if (whole) return result;
  return failure(ErrorKind::device,
                 "an output is " + shape_text(result.type, result.extents) + " of " + std::to_string(bytes) + " bytes");
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TensorFlowLibrary::describe_call(void* operation,
                                                                         const TensorFlowCall& call) const {
  const std::string what = "call " + call.name;
  function<void (*)(void*, const char*, void*)>(tf::set_device)(operation, device_.c_str(), status_);
  if (auto done = judged(what); !done) return done;
  const std::size_t listed = call.listed ? call.inputs.size() - 1 : 0;
  if (listed > 0) {
    std::vector<void*> handles;
    for (std::size_t i = 0; i < listed; ++i) handles.push_back(call.inputs[i].handle.get());
    function<void (*)(void*, void**, int, void*)>(tf::add_inputs)(operation, handles.data(), static_cast<int>(listed),
                                                                  status_);
    if (auto done = judged(what); !done) return done;
  }
  for (std::size_t i = listed; i < call.inputs.size(); ++i) {
    function<void (*)(void*, void*, void*)>(tf::add_input)(operation, call.inputs[i].handle.get(), status_);
    if (auto done = judged(what); !done) return done;
  }
  using Kind = TensorFlowAttribute::Kind;
  for (const TensorFlowAttribute& own : call.attributes) {
    const char* const name = own.name.c_str();
    switch (own.kind) {
      case Kind::whole:
        function<void (*)(void*, const char*, std::int64_t)>(tf::set_whole)(operation, name, own.whole);
        break;
      case Kind::real:
        function<void (*)(void*, const char*, float)>(tf::set_real)(operation, name, static_cast<float>(own.real));
        break;
      case Kind::truth:
        function<void (*)(void*, const char*, unsigned char)>(tf::set_truth)(operation, name, own.whole != 0 ? 1 : 0);
        break;
      case Kind::text:
        function<void (*)(void*, const char*, const void*, std::size_t)>(tf::set_text)(operation, name, own.text.data(),
                                                                                       own.text.size());
        break;
      case Kind::type:
        function<void (*)(void*, const char*, int)>(tf::set_type)(operation, name, tf::to_tensorflow(own.type));
        break;
      case Kind::wholes:
        function<void (*)(void*, const char*, const std::int64_t*, int)>(tf::set_wholes)(
            operation, name, own.wholes.data(), static_cast<int>(own.wholes.size()));
        break;
    }
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<EagerTensor>> TensorFlowLibrary::compute(
    const TensorFlowCall& call) const {
  void* const operation =
      function<void* (*)(void*, const char*, void*)>(tf::new_operation)(context_, call.name.c_str(), status_);
  if (auto done = judged("find the operator " + call.name); !done)
    return failure(ErrorKind::unsupported, done.error().message);
  auto done = describe_call(operation, call);
  std::array<void*, 8> handles{};
  int count = call.outputs;
  if (done) {
    function<void (*)(void*, void**, int*, void*)>(tf::execute)(operation, handles.data(), &count, status_);
    done = judged("compute " + call.name);
  }
  release(tf::delete_operation, operation);
  if (!done) return done.propagate();
  if (count != call.outputs)
    return failure(ErrorKind::device,
                   call.name + " gave " + std::to_string(count) + " outputs, and has " + std::to_string(call.outputs));
  std::vector<EagerTensor> results;
  for (int i = 0; i < count; ++i) {
    void* const handle = handles[static_cast<std::size_t>(i)];
    auto own = adopt(handle);
    if (!own) return own.propagate();
    const char* const where = function<const char* (*)(void*, void*)>(tf::handle_device)(handle, status_);
    if (auto told = judged("tell who computed " + call.name); !told) return told.propagate();
    if (where == nullptr || where != device_)
      return failure(ErrorKind::unsupported, call.name + " was computed by " + (where != nullptr ? where : "nobody") +
                                                 ", and not by " + device_);
    results.push_back(std::move(own).value());
  }
  return results;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> TensorFlowLibrary::run(const GraphProgram& program,
                                                                   const std::vector<GraphTensor>& inputs) {
  if (!program.mode.provider.options.empty())
    return failure(ErrorKind::unsupported, "this door to TensorFlow has no options");
  if (auto prepared = prepare(program.mode.threads); !prepared) return prepared.propagate();
  if (auto chosen = choose_device(program.mode.provider.name); !chosen) return chosen.propagate();
  auto model = read_onnx_model(program.model);
  if (!model) return model.propagate();
  TensorFlowGraph graph(*this);
  return graph.run(model.value(), inputs);
}

}  // namespace assay::inline v0::detail
