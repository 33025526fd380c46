#pragma once

#include "assay/frameworks/detail/onnx_runtime_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "assay/core/config.hpp"
#include "assay/core/lower_case.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool is_provider(const std::string& told, const std::string& asked) {
  constexpr std::string_view ending = "executionprovider";
  std::string a = lower_case(told), b = lower_case(asked);
  for (std::string* name : {&a, &b})
    if (name->size() > ending.size() && name->compare(name->size() - ending.size(), ending.size(), ending) == 0)
      name->resize(name->size() - ending.size());
  return a == b;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<NodeAssignment> read_onnx_runtime_profile(const std::string& text) {
  std::vector<NodeAssignment> nodes;
  const auto value_of = [](const std::string& line, const std::string& key) -> std::string {
    const std::size_t at = line.find('"' + key + '"');
    if (at == std::string::npos) return {};
    const std::size_t colon = line.find(':', at), from = line.find('"', std::min(colon, line.size()));
    if (from == std::string::npos) return {};
    const std::size_t to = line.find('"', from + 1);
    return to == std::string::npos ? std::string() : line.substr(from + 1, to - from - 1);
  };
  constexpr std::string_view kernel = "_kernel_time";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    const std::string provider = value_of(line, "provider"), name = value_of(line, "name");
    if (provider.empty() || name.size() <= kernel.size() ||
        name.compare(name.size() - kernel.size(), kernel.size(), kernel) != 0)
      continue;
    nodes.push_back({name.substr(0, name.size() - kernel.size()), value_of(line, "op_name"), provider});
  }
  return nodes;
}

ASSAY_DETAIL_HEADER_INLINE OnnxRuntimeLibrary::~OnnxRuntimeLibrary() {
  if (table_ == nullptr) return;
  forget_session();
  release(ort::release_memory_info, memory_);
}

ASSAY_DETAIL_HEADER_INLINE Failure OnnxRuntimeLibrary::missing(int slot, const char* what) const {
  return failure(ErrorKind::unsupported, path_ + " (" + version_ + ") has no function number " + std::to_string(slot) +
                                             " in its table, which is needed to " + what);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::judged(Handle status, const char* what) {
  if (status == nullptr) return {};
  std::string message = "it gave no message";
  int code = 0;
  if (table_[ort::get_error_message] != nullptr) {
    const char* const said =
        reinterpret_cast<const char* (*)(Handle)>(const_cast<void*>(table_[ort::get_error_message]))(status);
    if (said != nullptr) message = said;
  }
  if (table_[ort::get_error_code] != nullptr)
    code = reinterpret_cast<int (*)(Handle)>(const_cast<void*>(table_[ort::get_error_code]))(status);
  release(ort::release_status, status);
  std::replace(message.begin(), message.end(), '\n', ' ');
  return failure(code == ort::not_implemented ? ErrorKind::unsupported : ErrorKind::device,
                 std::string("ONNX Runtime ") + version_ + " could not " + what + ": " + message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::open(const std::string& path) {
  path_ = path;
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::not_found, path + " could not be loaded: " + (reason != nullptr ? reason : "no reason"));
  }
  const auto entry = reinterpret_cast<const ort::ApiBase* (*)()>(::dlsym(handle, "OrtGetApiBase"));
  const ort::ApiBase* const base = entry != nullptr ? entry() : nullptr;
  if (base == nullptr || base->get_api == nullptr)
    return failure(ErrorKind::unsupported,
                   path + " is no ONNX Runtime: it has no OrtGetApiBase, or that gives nothing");
  if (base->get_version != nullptr)
    if (const char* const said = base->get_version(); said != nullptr) version_ = said;
  for (api_ = ort::newest_api; api_ >= ort::oldest_api && table_ == nullptr; --api_) table_ = base->get_api(api_);
  ++api_;
  if (table_ == nullptr)
    return failure(ErrorKind::unsupported, path + " (" + version_ + ") offers none of the versions " +
                                               std::to_string(ort::oldest_api) + " to " +
                                               std::to_string(ort::newest_api) + " of ONNX Runtime's API");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::prepare() {
  if (environment_ == nullptr)
    if (auto made =
            call<int, const char*, Handle*>(ort::create_environment, "make an environment", 4, "assay", &environment_);
        !made)
      return made;
  if (memory_ == nullptr)
    return call<int, int, Handle*>(ort::create_memory_info, "describe the host's memory", 0, 0, &memory_);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> OnnxRuntimeLibrary::describe() {
  ExecutorDescription description{version_, {}};
  char** names = nullptr;
  int count = 0;
  if (auto told = call<char***, int*>(ort::available_providers, "list its providers", &names, &count); !told)
    return told.propagate();
  for (int i = 0; i < count; ++i)
    if (names[i] != nullptr) description.providers.emplace_back(names[i]);
  static_cast<void>(call<char**, int>(ort::release_available_providers, "free the list", names, count));
  return description;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::append_devices(Handle options,
                                                                           const ExecutionProvider& provider) {
  if (api_ < ort::provider_libraries_api)
    return failure(ErrorKind::unsupported, "ONNX Runtime " + version_ + " takes no libraries of providers");
  const std::pair<std::string, std::string> own{provider.library, provider.name};
  if (std::find(registered_.begin(), registered_.end(), own) == registered_.end()) {
    if (auto done =
            call<Handle, const char*, const char*>(ort::register_provider_library, "register the library of a provider",
                                                   environment_, provider.name.c_str(), provider.library.c_str());
        !done)
      return done;
    registered_.push_back(own);
  }
  Handle const* devices = nullptr;
  std::size_t count = 0;
  if (auto done = call<Handle, Handle const**, std::size_t*>(ort::provider_devices, "list devices of providers",
                                                             environment_, &devices, &count);
      !done)
    return done;
  const auto name_of_device =
      reinterpret_cast<const char* (*)(Handle)>(const_cast<void*>(table_[ort::device_provider_name]));
  if (name_of_device == nullptr) return missing(ort::device_provider_name, "name devices");
  std::string others;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const name = name_of_device(devices[i]);
    if (name == nullptr || !is_provider(name, provider.name)) {
      others += std::string(others.empty() ? "" : ", ") + (name != nullptr ? name : "?");
      continue;
    }
    std::vector<const char*> keys, values;
    for (const auto& [key, value] : provider.options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
    return call<Handle, Handle, Handle const*, std::size_t, const char* const*, const char* const*, std::size_t>(
        ort::append_provider_devices, "take the provider", options, environment_, devices + i, std::size_t{1},
        keys.data(), values.data(), keys.size());
  }
  return failure(ErrorKind::not_found, provider.library + " has no device of a provider " + provider.name +
                                           (others.empty() ? "" : "; there are devices of " + others));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::append_provider(Handle options,
                                                                            const ExecutionProvider& provider) {
  if (!provider.library.empty()) return append_devices(options, provider);
  if (is_provider("cpu", provider.name)) return {};
  if (table_[ort::append_provider] == nullptr) return missing(ort::append_provider, "take a provider");
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : provider.options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  const auto done = call<Handle, const char*, const char* const*, const char* const*, std::size_t>(
      ort::append_provider, "take the provider", options, provider.name.c_str(), keys.data(), values.data(),
      keys.size());
  if (done) return {};
  std::string known;
  if (const auto described = describe())
    for (const std::string& name : described.value().providers) known += (known.empty() ? "" : ", ") + name;
  return failure(ErrorKind::unsupported,
                 "provider " + provider.name + " is refused (this library has " + known + "): " + done.error().message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::configure(Handle options, const ExecutionMode& mode) {
  static_cast<void>(call<Handle, int>(ort::set_log_severity, "be quiet", options, 4));
  if (auto done = call<Handle, int>(ort::set_intra_op_threads, "set threads", options, mode.threads); !done)
    return done;
  if (auto done = call<Handle, int>(ort::set_optimization_level, "set the optimization level", options,
                                    mode.optimization_level);
      !done)
    return done;
  if (auto done = append_provider(options, mode.provider); !done) return done;
  profiled_ = false;
  if (is_provider("cpu", mode.provider.name)) return {};
  if (auto done = call<Handle, const char*, const char*>(ort::add_config_entry, "disable the fallback to the CPU",
                                                         options, "session.disable_cpu_ep_fallback", "1");
      !done)
    return done;
  std::error_code code;
  const std::string prefix =
      (std::filesystem::temp_directory_path(code) / ("assay-ort-" + std::to_string(static_cast<long>(::getpid()))))
          .string();
  if (auto done = call<Handle, const char*>(ort::enable_profiling, "profile", options, prefix.c_str()); !done)
    return done;
  profiled_ = true;
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::read_names(ort::Slot count_slot, ort::Slot name_slot,
                                                                       std::vector<std::string>& names) {
  Handle allocator = nullptr;
  if (auto done = call<Handle*>(ort::default_allocator, "find its allocator", &allocator); !done) return done;
  std::size_t count = 0;
  if (auto done = call<Handle, std::size_t*>(count_slot, "count the model's tensors", session_, &count); !done)
    return done;
  names.clear();
  for (std::size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    if (auto done = call<Handle, std::size_t, Handle, char**>(name_slot, "name the model's tensors", session_, i,
                                                              allocator, &name);
        !done)
      return done;
    names.emplace_back(name != nullptr ? name : "");
    static_cast<void>(call<Handle, void*>(ort::allocator_free, "free a name", allocator, static_cast<void*>(name)));
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void OnnxRuntimeLibrary::forget_session() {
  if (session_ != nullptr && profiled_) static_cast<void>(end_profile());
  release(ort::release_session, session_);
  program_ = {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OnnxRuntimeLibrary::compile(const GraphProgram& program) {
  const ExecutionMode &own = program_.mode, &asked = program.mode;
  if (session_ != nullptr && !profiled_ && program_.model == program.model &&
      own.provider.name == asked.provider.name && own.provider.options == asked.provider.options &&
      own.provider.library == asked.provider.library && own.optimization_level == asked.optimization_level &&
      own.threads == asked.threads)
    return {};
  forget_session();
  Handle options = nullptr;
  if (auto done = call<Handle*>(ort::create_session_options, "make options", &options); !done) return done;
  auto done = configure(options, program.mode);
  if (done)
    done = call<Handle, const void*, std::size_t, Handle, Handle*>(
        ort::create_session_from_array, "take the model", environment_, static_cast<const void*>(program.model.data()),
        program.model.size(), options, &session_);
  release(ort::release_session_options, options);
  if (!done) {
    profiled_ = false;
    // A runtime that refuses a model says of no number that it is right.
    return failure(done.error().kind == ErrorKind::not_found ? ErrorKind::not_found : ErrorKind::unsupported,
                   done.error().message);
  }
  if (session_ == nullptr)
    return failure(ErrorKind::device, "ONNX Runtime " + version_ + " reported success and made no session");
  program_ = program;
  if (auto named = read_names(ort::input_count, ort::input_name, inputs_); !named) return named;
  return read_names(ort::output_count, ort::output_name, outputs_);
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> OnnxRuntimeLibrary::fetch(Handle value, const std::string& name) {
  GraphTensor tensor;
  tensor.name = name;
  Handle description = nullptr;
  if (auto done = call<Handle, Handle*>(ort::type_and_shape, "describe an output", value, &description); !done)
    return failure(ErrorKind::unsupported, "output '" + name + "' is no tensor: " + done.error().message);
  int type = 0;
  std::size_t rank = 0;
  auto done = call<Handle, int*>(ort::element_type, "tell an output's type", description, &type);
  if (done) done = call<Handle, std::size_t*>(ort::dimension_count, "tell an output's rank", description, &rank);
  if (done && rank > 64) done = failure(ErrorKind::device, "an output has " + std::to_string(rank) + " dimensions");
  if (done) {
    tensor.extents.resize(rank);
    done = call<Handle, std::int64_t*, std::size_t>(ort::dimensions, "tell an output's extents", description,
                                                    tensor.extents.data(), rank);
  }
  release(ort::release_type_and_shape, description);
  if (!done) return done.propagate();
  tensor.type = static_cast<TensorType>(ort::from_ort(type));
  const std::int64_t bytes = tensor.byte_size();
  if (bytes < 0)
    return failure(ErrorKind::unsupported, "output '" + name + "' is " + shape_text(tensor.type, tensor.extents) +
                                               ", of which no numbers are taken");
  void* data = nullptr;
  if (auto got = call<Handle, void**>(ort::tensor_data, "give an output's data", value, &data); !got)
    return got.propagate();
  if (data == nullptr && bytes > 0) return failure(ErrorKind::device, "output '" + name + "' has no data");
  if (bytes > 0) tensor.bytes.assign(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
  return tensor;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<NodeAssignment>> OnnxRuntimeLibrary::end_profile() {
  profiled_ = false;
  Handle allocator = nullptr;
  if (auto done = call<Handle*>(ort::default_allocator, "find its allocator", &allocator); !done)
    return done.propagate();
  char* name = nullptr;
  if (auto done = call<Handle, Handle, char**>(ort::end_profiling, "end its profile", session_, allocator, &name);
      !done)
    return done.propagate();
  if (name == nullptr) return failure(ErrorKind::device, "ONNX Runtime told no file of its profile");
  const std::string path = name;
  static_cast<void>(call<Handle, void*>(ort::allocator_free, "free a name", allocator, static_cast<void*>(name)));
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::error_code code;
  std::filesystem::remove(path, code);
  return read_onnx_runtime_profile(text);
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> OnnxRuntimeLibrary::run(const GraphProgram& program,
                                                                    const std::vector<GraphTensor>& inputs) {
  if (auto prepared = prepare(); !prepared) return prepared.propagate();
  if (auto compiled = compile(program); !compiled) return compiled.propagate();
  std::vector<const char*> input_names, output_names;
  std::vector<Handle> values, results(outputs_.size(), nullptr);
  GraphRun run;
  static std::uint64_t nothing[2] = {};
  Result<void> done;
  for (const GraphTensor& input : inputs) {
    if (std::find(inputs_.begin(), inputs_.end(), input.name) == inputs_.end())
      done = failure(ErrorKind::invalid, "the model has no input '" + input.name + "'");
    Handle value = nullptr;
    if (done)
      done = call<Handle, void*, std::size_t, const std::int64_t*, std::size_t, int, Handle*>(
          ort::create_tensor, "take an input", memory_,
          input.bytes.empty() ? static_cast<void*>(nothing) : const_cast<char*>(input.bytes.data()), input.bytes.size(),
          input.extents.data(), input.extents.size(), ort::to_ort(static_cast<int>(input.type)), &value);
    if (!done) break;
    values.push_back(value);
    input_names.push_back(input.name.c_str());
  }
  for (const std::string& name : outputs_) output_names.push_back(name.c_str());
  if (done)
    done =
        call<Handle, Handle, const char* const*, Handle const*, std::size_t, const char* const*, std::size_t, Handle*>(
            ort::run, "run the model", session_, nullptr, input_names.data(), values.data(), values.size(),
            output_names.data(), output_names.size(), results.data());
  for (std::size_t i = 0; done && i < results.size(); ++i) {
    if (results[i] == nullptr) {
      done = failure(ErrorKind::device, "ONNX Runtime reported success and gave no output '" + outputs_[i] + "'");
      break;
    }
    auto output = fetch(results[i], outputs_[i]);
    if (output)
      run.outputs.push_back(std::move(output).value());
    else
      done = output.propagate();
  }
  for (Handle value : values) release(ort::release_value, value);
  for (Handle result : results) release(ort::release_value, result);
  if (!done || !profiled_) {
    if (!done) return done.propagate();
    return run;
  }
  auto assignment = end_profile();
  if (!assignment) return assignment.propagate();
  run.assignment = std::move(assignment).value();
  const std::string& asked = program.mode.provider.name;
  if (run.assignment.empty())
    return failure(ErrorKind::unsupported, "ONNX Runtime's profile does not tell who computed the nodes, so what " +
                                               asked + " gives is not known to be its own");
  for (const NodeAssignment& node : run.assignment)
    if (!is_provider(node.provider, asked))
      return failure(ErrorKind::unsupported, "node " + node.node + " (" + node.operation + ") was computed by " +
                                                 node.provider + ", not by " + asked);
  return run;
}

}  // namespace assay::inline v0::detail
