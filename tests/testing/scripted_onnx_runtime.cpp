// A library with the functions of ONNX Runtime's table that Assay calls, which computes Relu of float32 tensors. The
// variable ASSAY_SCRIPTED_ONNXRUNTIME names what is wrong with it; empty or "right": nothing.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "assay/frameworks/detail/onnx_runtime_interface.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace {

namespace ort = assay::detail::ort;

bool is(const char* fault) {
  const char* const asked = std::getenv("ASSAY_SCRIPTED_ONNXRUNTIME");
  return asked != nullptr && std::strcmp(asked, fault) == 0;
}

struct Status {
  int code;
  std::string message;
};
struct Value {
  int type = 1;
  std::vector<std::int64_t> extents;
  void* data = nullptr;
  std::vector<float> own;
};
struct Options {
  std::string provider = "CPUExecutionProvider", profile;
  bool no_fallback = false;
};
struct Session {
  assay::GraphModel model;
  Options options;
};

Status* failed(int code, const char* message) {
  return new Status{code, message};
}
char* copied(const std::string& text) {
  char* const bytes = static_cast<char*>(std::malloc(text.size() + 1));
  std::memcpy(bytes, text.c_str(), text.size() + 1);
  return bytes;
}

int error_code(Status* status) {
  return status->code;
}
const char* error_message(Status* status) {
  return status->message.c_str();
}
template <class T>
void release(T* object) {
  delete object;
}
void release_nothing(void*) {}
Status* make_environment(int, const char*, void** out) {
  static int environment = 0;
  *out = &environment;
  return nullptr;
}
Status* make_options(Options** out) {
  *out = new Options;
  return nullptr;
}
Status* set_number(Options*, int) {
  return nullptr;
}
Status* add_entry(Options* options, const char* key, const char* value) {
  options->no_fallback |= std::strcmp(key, "session.disable_cpu_ep_fallback") == 0 && std::strcmp(value, "1") == 0;
  return nullptr;
}
Status* enable_profiling(Options* options, const char* prefix) {
  options->profile = prefix;
  return nullptr;
}
Status* append_provider(Options* options, const char* name, const char* const* keys, const char* const* values,
                        std::size_t count) {
  if (std::strcmp(name, "Scripted") != 0) return failed(1, "Unknown provider name.");
  for (std::size_t i = 0; i < count; ++i)
    if (std::strcmp(keys[i], "speed") != 0 || std::strcmp(values[i], "fast") != 0) return failed(2, "unknown option");
  options->provider = "ScriptedExecutionProvider";
  return nullptr;
}
Status* make_session(void*, const void* bytes, std::size_t size, Options* options, Session** out) {
  if (is("aborts while compiling")) {
    std::fprintf(stderr, "compiler assertion 1 < 0 failed\n");
    std::abort();
  }
  if (is("hangs while compiling"))
    for (;;) ::sleep(1);
  if (is("no session")) return nullptr;
  auto model = assay::read_onnx_model({static_cast<const char*>(bytes), size});
  if (!model) return failed(7, "the model cannot be read");
  if (auto checked = assay::check_graph(model.value().graph); !checked)
    return failed(10, checked.error().message.c_str());
  for (const assay::GraphNode& node : model.value().graph.nodes)
    if (node.operation != "Relu") return failed(9, ("no kernel for " + node.operation).c_str());
  if (options->provider == "ScriptedExecutionProvider" && !options->no_fallback)
    return failed(1, "fallback to the CPU was left on");
  *out = new Session{std::move(model).value(), *options};
  return nullptr;
}
Status* count_inputs(Session* session, std::size_t* count) {
  *count = session->model.graph.inputs.size();
  return nullptr;
}
Status* count_outputs(Session* session, std::size_t* count) {
  *count = session->model.graph.outputs.size();
  return nullptr;
}
Status* name_input(Session* session, std::size_t i, void*, char** name) {
  *name = copied(session->model.graph.inputs[i].name);
  return nullptr;
}
Status* name_output(Session* session, std::size_t i, void*, char** name) {
  *name = copied(session->model.graph.outputs[i].name);
  return nullptr;
}
Status* make_tensor(void*, void* data, std::size_t, const std::int64_t* extents, std::size_t rank, int type,
                    Value** out) {
  *out = new Value{type, {extents, extents + rank}, data, {}};
  return nullptr;
}
Status* run(Session*, void*, const char* const*, Value* const* inputs, std::size_t count, const char* const*,
            std::size_t outputs, Value** results) {
  if (is("aborts while running")) std::abort();
  if (is("crashes while running")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("leaves by exit")) std::exit(0);
  if (is("fails while running")) return failed(6, "kernel launch failed");
  if (is("fails without a message")) return failed(1, "");
  if (is("no output")) return nullptr;
  if (count != 1 || outputs != 1 || inputs[0]->type != 1) return failed(9, "float32 only");
  auto* const result = new Value{1, inputs[0]->extents, nullptr, {}};
  std::size_t size = 1;
  for (const std::int64_t extent : result->extents) size *= static_cast<std::size_t>(extent);
  const float* const x = static_cast<const float*>(inputs[0]->data);
  for (std::size_t i = 0; i < size; ++i) result->own.push_back(x[i] < 0 ? 0 : x[i]);
  if (is("wrong numbers"))
    for (std::size_t i = 0; i < size; i += 7) result->own[i] *= 1.0001F;
  if (is("one wrong element") && size > 5) result->own[5] = result->own[5] > 0 ? 0 : 1;
  if (is("ignores its input"))
    for (float& value : result->own) value = 0;
  if (is("another shape")) result->extents.push_back(1);
  if (is("another type")) result->type = 6;
  if (is("negative extents")) result->extents.assign(1, -4);
  if (is("many dimensions")) result->extents.assign(1000, 1);
  result->own.push_back(0);
  result->data = is("null data") ? nullptr : result->own.data();
  results[0] = result;
  return nullptr;
}
Status* describe(Value* value, Value** out) {
  *out = new Value{value->type, value->extents, nullptr, {}};
  return nullptr;
}
Status* type_of(Value* value, int* type) {
  *type = value->type;
  return nullptr;
}
Status* rank_of(Value* value, std::size_t* rank) {
  *rank = value->extents.size();
  return nullptr;
}
Status* extents_of(Value* value, std::int64_t* extents, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) extents[i] = value->extents[i];
  return nullptr;
}
Status* data_of(Value* value, void** data) {
  *data = value->data;
  return nullptr;
}
Status* make_memory(int, int, void** out) {
  return make_environment(0, "", out);
}
Status* find_allocator(void** out) {
  return make_environment(0, "", out);
}
Status* free_bytes(void*, void* bytes) {
  std::free(bytes);
  return nullptr;
}
Status* end_profile(Session* session, void*, char** name) {
  const std::string path = session->options.profile + "-script.json";
  std::ofstream file(path);
  const std::string provider = is("falls back") ? "CPUExecutionProvider" : session->options.provider;
  if (!is("no profile"))
    file << "[\n{\"cat\" : \"Node\",\"name\" :\"Relu_0_kernel_time\",\"args\" : {\"op_name\" : \"Relu\",\"provider\" : "
            "\""
         << provider << "\"}},\n]\n";
  *name = copied(path);
  return nullptr;
}
Status* list_providers(char*** names, int* count) {
  *names = static_cast<char**>(std::malloc(2 * sizeof(char*)));
  (*names)[0] = copied("ScriptedExecutionProvider");
  (*names)[1] = copied("CPUExecutionProvider");
  *count = 2;
  return nullptr;
}
Status* release_providers(char** names, int count) {
  for (int i = 0; i < count; ++i) std::free(names[i]);
  std::free(names);
  return nullptr;
}

template <class Function>
void put(const void** table, int slot, Function* function) {
  table[slot] = reinterpret_cast<const void*>(function);
}

const void* const* table() {
  static const void* slots[320] = {};
  put(slots, ort::get_error_code, &error_code);
  put(slots, ort::get_error_message, &error_message);
  put(slots, ort::create_environment, &make_environment);
  put(slots, ort::create_session_options, &make_options);
  put(slots, ort::run, &run);
  put(slots, ort::create_session_from_array, &make_session);
  put(slots, ort::enable_profiling, &enable_profiling);
  put(slots, ort::set_log_severity, &set_number);
  put(slots, ort::set_optimization_level, &set_number);
  put(slots, ort::set_intra_op_threads, &set_number);
  put(slots, ort::input_count, &count_inputs);
  put(slots, ort::output_count, &count_outputs);
  put(slots, ort::input_name, &name_input);
  put(slots, ort::output_name, &name_output);
  put(slots, ort::create_tensor, &make_tensor);
  put(slots, ort::tensor_data, &data_of);
  put(slots, ort::element_type, &type_of);
  put(slots, ort::dimension_count, &rank_of);
  put(slots, ort::dimensions, &extents_of);
  put(slots, ort::type_and_shape, &describe);
  put(slots, ort::create_memory_info, &make_memory);
  put(slots, ort::allocator_free, &free_bytes);
  put(slots, ort::default_allocator, &find_allocator);
  put(slots, ort::release_environment, &release_nothing);
  put(slots, ort::release_status, &release<Status>);
  put(slots, ort::release_memory_info, &release_nothing);
  put(slots, ort::release_session, &release<Session>);
  put(slots, ort::release_value, &release<Value>);
  put(slots, ort::release_type_and_shape, &release<Value>);
  put(slots, ort::release_session_options, &release<Options>);
  put(slots, ort::end_profiling, &end_profile);
  put(slots, ort::available_providers, &list_providers);
  put(slots, ort::release_available_providers, &release_providers);
  put(slots, ort::add_config_entry, &add_entry);
  put(slots, ort::append_provider, &append_provider);
  if (is("missing functions")) slots[ort::create_session_from_array] = nullptr;
  return slots;
}

const void* const* api_of(std::uint32_t version) {
  return is("wrong version") || version > 23 ? nullptr : table();
}
const char* version() {
  return "0.0-scripted";
}

}  // namespace

extern "C" const ort::ApiBase* OrtGetApiBase() {
  static const ort::ApiBase base{&api_of, &version};
  return is("no table") ? nullptr : &base;
}
