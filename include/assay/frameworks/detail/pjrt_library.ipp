#pragma once

#include "assay/frameworks/detail/pjrt_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/frameworks/detail/protobuf.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE ModuleNames read_module_names(const std::string& text) {
  ModuleNames names;
  const std::size_t start = text.find("@main(");
  if (start == std::string::npos) return names;
  const std::string line = text.substr(start, text.find('\n', start) - start);
  const std::size_t arrow = std::min(line.find("->"), line.size());
  for (std::size_t at = line.find('%'); at < arrow; at = line.find('%', at + 1))
    names.inputs.push_back(line.substr(at + 1, line.find(':', at) - at - 1));
  const std::string key = "jax.result_info = \"";
  for (std::size_t at = line.find(key, arrow); at != std::string::npos; at = line.find(key, at + 1)) {
    const std::size_t from = at + key.size();
    names.outputs.push_back(line.substr(from, line.find('"', from) - from));
  }
  return names;
}

ASSAY_DETAIL_HEADER_INLINE std::string pjrt_compile_options(
    const std::vector<std::pair<std::string, std::string>>& flags) {
  // CompileOptionsProto: executable_build_options 3 {num_replicas 4, num_partitions 5}, env_option_overrides 7, a map of
  // OptionOverrideProto {string 1, bool 2, int64 3}.
  ProtobufWriter options;
  options.text(3, ProtobufWriter().varint(4, 1).varint(5, 1).take());
  for (const auto& [key, value] : flags) {
    ProtobufWriter own;
    const bool integer = !value.empty() && std::all_of(value.begin(), value.end(),
                                                       [](char letter) { return letter >= '0' && letter <= '9'; });
    if (value == "true" || value == "false")
      own.varint(2, value == "true" ? 1 : 0);
    else if (integer)
      own.varint(3, std::strtoull(value.c_str(), nullptr, 10));
    else
      own.text(1, value);
    options.text(7, ProtobufWriter().text(1, key).text(2, own.take()).take());
  }
  return options.take();
}

ASSAY_DETAIL_HEADER_INLINE PjrtLibrary::~PjrtLibrary() {
  destroy(pjrt::loaded_destroy, executable_);
  destroy(pjrt::client_destroy, client_);
}

ASSAY_DETAIL_HEADER_INLINE void* PjrtLibrary::function_at(pjrt::Slot slot) const {
  const std::size_t end = offsetof(pjrt::Api, functions) + (static_cast<std::size_t>(slot) + 1) * sizeof(void*);
  return api_ != nullptr && end <= api_->struct_size ? api_->functions[slot] : nullptr;
}

ASSAY_DETAIL_HEADER_INLINE void PjrtLibrary::destroy(pjrt::Slot slot, Handle& object) {
  if (object == nullptr) return;
  pjrt::Destroy arguments;
  arguments.object = object;
  object = nullptr;
  static_cast<void>(call(slot, "let go of an object", arguments));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::call(pjrt::Slot slot, const char* what, pjrt::Head* arguments,
                                                          std::size_t size) {
  void* const function = function_at(slot);
  if (function == nullptr)
    return failure(ErrorKind::unsupported, path_ + " (" + version_ + ") has no function number " +
                                               std::to_string(static_cast<int>(slot)) +
                                               " in its table, which is needed to " + what);
  arguments->struct_size = size;
  return judged(reinterpret_cast<Handle (*)(pjrt::Head*)>(function)(arguments), what);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::judged(Handle error, const char* what) {
  if (error == nullptr) return {};
  std::string said = "it gave no message";
  pjrt::Code code;
  // Not by `call`: an error about an error would never end.
  if (void* const function = function_at(pjrt::error_message); function != nullptr) {
    pjrt::Text text;
    text.struct_size = sizeof text;
    text.object = error;
    reinterpret_cast<void (*)(pjrt::Text*)>(function)(&text);
    if (text.text != nullptr && text.size > 0) said.assign(text.text, std::min<std::size_t>(text.size, 2000));
  }
  if (void* const function = function_at(pjrt::error_code); function != nullptr) {
    code.struct_size = sizeof code;
    code.error = error;
    reinterpret_cast<Handle (*)(pjrt::Code*)>(function)(&code);
  }
  if (void* const function = function_at(pjrt::error_destroy); function != nullptr) {
    pjrt::Destroy own;
    own.struct_size = sizeof own;
    own.object = error;
    reinterpret_cast<void (*)(pjrt::Destroy*)>(function)(&own);
  }
  std::replace(said.begin(), said.end(), '\n', ' ');
  return failure(code.code == pjrt::unimplemented ? ErrorKind::unsupported : ErrorKind::device,
                 version_ + " could not " + what + ": " + said);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::awaited(Handle event, const char* what) {
  if (event == nullptr) return {};
  pjrt::Destroy arguments;
  arguments.object = event;
  auto done = call(pjrt::event_await, what, arguments);
  destroy(pjrt::event_destroy, event);
  return done;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::open(const std::string& path) {
  path_ = path;
  std::error_code code;
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.rfind("libtpu", 0) == 0 && !std::filesystem::exists("/dev/accel0", code) &&
      !std::filesystem::exists("/dev/vfio/0", code))
    return failure(ErrorKind::unsupported, path +
                                               " is not asked: there is no TPU here (no /dev/accel0, no /dev/vfio/0), "
                                               "and it would ask a metadata server for minutes");
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::not_found, path + " could not be loaded: " + (reason != nullptr ? reason : "no reason"));
  }
  const auto entry = reinterpret_cast<const pjrt::Api* (*)()>(::dlsym(handle, "GetPjrtApi"));
  const pjrt::Api* const api = entry != nullptr ? entry() : nullptr;
  if (api == nullptr || api->struct_size < offsetof(pjrt::Api, functions))
    return failure(ErrorKind::unsupported, path + " is no plugin of PJRT: it has no GetPjrtApi, or that gives nothing");
  version_ = "PJRT " + std::to_string(api->version.major) + "." + std::to_string(api->version.minor);
  if (api->version.major != pjrt::api_major)
    return failure(ErrorKind::unsupported, path + " has " + version_ + "; only versions 0.x are known");
  api_ = api;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::prepare() {
  if (device_ != nullptr) return {};
  if (client_ == nullptr) {
    pjrt::Head nothing;
    if (auto done = call(pjrt::plugin_initialize, "be initialized", nothing); !done) return done;
    pjrt::Create create;
    if (auto done = call(pjrt::client_create, "make a client", create); !done) return done;
    if (create.client == nullptr) return failure(ErrorKind::device, version_ + " reported success and made no client");
    client_ = create.client;
  }
  const auto told = [&](pjrt::Slot slot, const char* what, std::string& text) -> Result<void> {
    pjrt::Text own;
    own.object = client_;
    if (auto done = call(slot, what, own); !done) return done;
    if (own.text != nullptr) text.assign(own.text, own.size);
    return {};
  };
  if (auto done = told(pjrt::client_platform_name, "name its platform", platform_); !done) return done;
  static_cast<void>(told(pjrt::client_platform_version, "tell its version", platform_version_));
  pjrt::Devices devices;
  devices.client = client_;
  if (auto done = call(pjrt::client_devices, "list its devices", devices); !done) return done;
  if (devices.count == 0 || devices.devices == nullptr || devices.devices[0] == nullptr)
    return failure(ErrorKind::unsupported, version_ + " on " + platform_ + " has no device");
  device_ = devices.devices[0];
  devices_ = devices.count;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> PjrtLibrary::describe() {
  if (auto prepared = prepare(); !prepared) return prepared.propagate();
  std::string version = version_;
  std::string more = platform_version_;
  std::replace(more.begin(), more.end(), '\n', ' ');
  if (!more.empty()) version += ", " + more;
  return ExecutorDescription{version, {platform_}};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::check_platform(const ExecutionMode& mode) const {
  if (mode.provider.name.empty() || mode.provider.name == platform_) return {};
  return failure(ErrorKind::unsupported, "the plugin " + path_ + " is of the platform '" + platform_ + "', not of '" +
                                             mode.provider.name + "'");
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PjrtLibrary::compile(const GraphProgram& program) {
  if (executable_ != nullptr && program_.model == program.model &&
      program_.mode.provider.options == program.mode.provider.options)
    return {};
  destroy(pjrt::loaded_destroy, executable_);
  program_ = {};
  std::string code = program.model;
  const std::string options = pjrt_compile_options(program.mode.provider.options);
  pjrt::Program own;
  own.struct_size = sizeof own;
  own.code = code.data();
  own.code_size = code.size();
  own.format = "mlir";
  own.format_size = 4;
  pjrt::Compile arguments;
  arguments.client = client_;
  arguments.program = &own;
  arguments.options = options.data();
  arguments.options_size = options.size();
  if (auto done = call(pjrt::client_compile, "compile the module", arguments); !done) {
    const bool unread = done.error().message.find("parse") != std::string::npos;
    // A compiler that refuses a program says of no number that it is right.
    return failure(unread ? ErrorKind::invalid : ErrorKind::unsupported, done.error().message);
  }
  if (arguments.executable == nullptr)
    return failure(ErrorKind::device, version_ + " reported success and gave no executable");
  executable_ = arguments.executable;
  pjrt::Object loaded;
  loaded.object = executable_;
  if (auto done = call(pjrt::loaded_executable, "show its executable", loaded); !done) return done;
  pjrt::Outputs outputs;
  outputs.executable = loaded.result;
  auto done = call(pjrt::executable_outputs, "count results", outputs);
  destroy(pjrt::executable_destroy, loaded.result);
  if (!done) return done;
  output_count_ = outputs.count;
  ModuleNames names = read_module_names(program.model);
  if (output_count_ > 4096 || (!names.outputs.empty() && names.outputs.size() != output_count_))
    return failure(ErrorKind::device, version_ + " made " + std::to_string(output_count_) +
                                          " results of a module with " + std::to_string(names.outputs.size()));
  for (std::size_t i = names.outputs.size(); i < output_count_; ++i) names.outputs.push_back(std::to_string(i));
  inputs_ = std::move(names.inputs);
  outputs_ = std::move(names.outputs);
  program_ = program;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<PjrtLibrary::Handle> PjrtLibrary::put(const GraphTensor& tensor) {
  static std::uint64_t nothing[2] = {};
  const auto number = static_cast<std::size_t>(tensor.type);
  pjrt::FromHost arguments;
  arguments.client = client_;
  arguments.type = number < std::size(pjrt::buffer_types) ? pjrt::buffer_types[number] : 0;
  if (arguments.type == 0 || tensor.byte_size() != static_cast<std::int64_t>(tensor.bytes.size()))
    return failure(ErrorKind::unsupported, "input '" + tensor.name + "', " + shape_text(tensor.type, tensor.extents) +
                                               ", cannot be handed to a plugin of PJRT");
  arguments.data = tensor.bytes.empty() ? static_cast<const void*>(nothing) : tensor.bytes.data();
  arguments.dimensions = tensor.extents.data();
  arguments.rank = tensor.extents.size();
  arguments.device = device_;
  if (auto done = call(pjrt::buffer_from_host, "take an input", arguments); !done) return done.propagate();
  Handle buffer = arguments.buffer;
  if (auto done = awaited(arguments.done, "take an input"); !done) {
    destroy(pjrt::buffer_destroy, buffer);
    return done.propagate();
  }
  if (buffer == nullptr) return failure(ErrorKind::device, version_ + " reported success and took no input");
  return buffer;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> PjrtLibrary::fetch(Handle buffer, std::string name) {
  GraphTensor tensor;
  tensor.name = std::move(name);
  const std::string who = "output '" + tensor.name + "'";
  if (buffer == nullptr) return failure(ErrorKind::device, version_ + " reported success and gave no " + who);
  pjrt::ElementType type;
  type.buffer = buffer;
  if (auto done = call(pjrt::buffer_type, "tell an output's type", type); !done) return done.propagate();
  const auto* const known = std::find(std::begin(pjrt::buffer_types), std::end(pjrt::buffer_types), type.type);
  if (type.type == 0 || known == std::end(pjrt::buffer_types))
    return failure(ErrorKind::unsupported, who + " has the element type " + std::to_string(type.type) +
                                               " of PJRT, of which no numbers are taken");
  tensor.type = static_cast<TensorType>(known - std::begin(pjrt::buffer_types));
  pjrt::Dimensions dimensions;
  dimensions.buffer = buffer;
  if (auto done = call(pjrt::buffer_dimensions, "tell an output's extents", dimensions); !done) return done.propagate();
  if (dimensions.rank > 64)
    return failure(ErrorKind::device, who + " has " + std::to_string(dimensions.rank) + " dimensions");
  if (dimensions.dimensions != nullptr)
    tensor.extents.assign(dimensions.dimensions, dimensions.dimensions + dimensions.rank);
  const std::int64_t bytes = tensor.byte_size();
  if (bytes < 0 || bytes > std::int64_t{1} << 32)
    return failure(ErrorKind::device, who + " is " + shape_text(tensor.type, tensor.extents));
  pjrt::ToHost copy;
  copy.source = buffer;
  if (auto done = call(pjrt::buffer_to_host, "tell an output's size", copy); !done) return done.propagate();
  if (copy.size != static_cast<std::size_t>(bytes))
    return failure(ErrorKind::device, who + " is " + shape_text(tensor.type, tensor.extents) + " of " +
                                          std::to_string(copy.size) + " bytes");
  tensor.bytes.resize(copy.size);
  if (bytes == 0) return tensor;
  copy.destination = tensor.bytes.data();
  copy.event = nullptr;
  if (auto done = call(pjrt::buffer_to_host, "give an output's data", copy); !done) return done.propagate();
  if (auto done = awaited(copy.event, "give an output's data"); !done) return done.propagate();
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> PjrtLibrary::run(const GraphProgram& program,
                                                             const std::vector<GraphTensor>& inputs) {
  if (auto prepared = prepare(); !prepared) return prepared.propagate();
  if (auto checked = check_platform(program.mode); !checked) return checked.propagate();
  if (auto compiled = compile(program); !compiled) return compiled.propagate();
  std::vector<Handle> given, results(output_count_, nullptr);
  GraphRun run;
  Result<void> done;
  for (const std::string& name : inputs_) {
    const auto own =
        std::find_if(inputs.begin(), inputs.end(), [&](const GraphTensor& tensor) { return tensor.name == name; });
    if (own == inputs.end()) {
      done = failure(ErrorKind::invalid, "the module's input '" + name + "' is not given");
      break;
    }
    auto buffer = put(*own);
    if (!buffer) {
      done = buffer.propagate();
      break;
    }
    given.push_back(buffer.value());
  }
  if (done && inputs.size() != inputs_.size())
    done = failure(ErrorKind::invalid, "the module has " + std::to_string(inputs_.size()) + " inputs, and " +
                                           std::to_string(inputs.size()) + " are given");
  if (done) {
    pjrt::ExecuteOptions options;
    options.struct_size = sizeof options;
    pjrt::Execute arguments;
    Handle* const given_list = given.data();
    Handle const* const* const all_given = &given_list;
    Handle* result_list = results.data();
    Handle event = nullptr;
    arguments.executable = executable_;
    arguments.options = &options;
    arguments.arguments = all_given;
    arguments.device_count = 1;
    arguments.argument_count = given.size();
    arguments.outputs = &result_list;
    arguments.events = &event;
    done = call(pjrt::loaded_execute, "run the module", arguments);
    if (auto finished = awaited(event, "run the module"); done && !finished) done = finished;
  }
  for (std::size_t i = 0; done && i < results.size(); ++i) {
    if (auto output = fetch(results[i], outputs_[i]))
      run.outputs.push_back(std::move(output).value());
    else
      done = output.propagate();
  }
  for (Handle buffer : given) destroy(pjrt::buffer_destroy, buffer);
  for (Handle buffer : results) destroy(pjrt::buffer_destroy, buffer);
  if (!done) return done.propagate();
  return run;
}

}  // namespace assay::inline v0::detail
