// A stand-in for libnvidia-ml.so.1 that answers from a script: the file that ASSAY_NVML_SCRIPT names, read by nvmlInit.
// A line is "milliseconds function[@device] code value [sleep_milliseconds]": from that time on the function answers
// so. A code of "abort" aborts the process, "exit" ends it. What no line names is not supported (3). Devices have the
// handles 1, 2, ...; the same library is read by NVIDIA's own bindings for Python, which shows that it is one.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "assay/telemetry/detail/nvml_interface.hpp"

namespace nvml = assay::detail::nvml;

namespace {

struct Line {
  double from;
  std::string code;
  unsigned long long value;
  double sleep;
};

std::map<std::string, std::vector<Line>> script;
std::chrono::steady_clock::time_point begin;
int users = 0;

double milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

nvml::Return answer(const std::string& function, nvml::Device device, unsigned long long& value) {
  if (users == 0) return 1;
  const auto number = reinterpret_cast<std::size_t>(device);
  auto lines = script.find(function + "@" + std::to_string(number));
  if (lines == script.end()) lines = script.find(function);
  if (lines == script.end()) return nvml::not_supported;
  const Line* now = nullptr;
  for (const Line& line : lines->second)
    if (line.from <= milliseconds()) now = &line;
  if (now == nullptr) return nvml::not_supported;
  if (now->sleep > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(now->sleep));
  if (now->code == "abort") std::abort();
  if (now->code == "exit") std::exit(0);
  value = now->value;
  return std::atoi(now->code.c_str());
}

template <class Value>
nvml::Return number(const char* function, nvml::Device device, Value* out) {
  unsigned long long value = 0;
  const nvml::Return code = answer(function, device, value);
  if (code == nvml::success) *out = static_cast<Value>(value);
  return code;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) nvml::Return nvmlInit_v2() {
  if (users++ > 0) return nvml::success;
  begin = std::chrono::steady_clock::now();
  script.clear();
  const char* const name = std::getenv("ASSAY_NVML_SCRIPT");
  std::ifstream file(name != nullptr ? name : "");
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    Line line{0, "", 0, 0};
    std::string function;
    if (!(words >> line.from >> function >> line.code)) continue;
    words >> line.value >> line.sleep;
    script[function].push_back(line);
  }
  unsigned long long value = 0;
  const nvml::Return code = answer("Init", nullptr, value);
  return code == nvml::not_supported ? nvml::success : code;
}
__attribute__((visibility("default"))) nvml::Return nvmlInitWithFlags(unsigned) {
  return nvmlInit_v2();
}
__attribute__((visibility("default"))) nvml::Return nvmlShutdown() {
  return users > 0 ? (--users, 0) : 1;
}
__attribute__((visibility("default"))) const char* nvmlErrorString(nvml::Return code) {
  switch (code) {
    case 0: return "Success";
    case 3: return "Not Supported";
    case 4: return "Insufficient Permissions";
    case 13: return "Function Not Found";
    case 15: return "GPU is lost";
    case 999: return "Unknown Error";
    default: return "scripted error";
  }
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetCount_v2(unsigned* out) {
  return number("Count", nullptr, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* out) {
  unsigned long long value = 0;
  auto* const device = reinterpret_cast<nvml::Device>(static_cast<std::size_t>(index) + 1);
  const nvml::Return code = answer("Handle", device, value);
  if (code == nvml::success || code == nvml::not_supported) *out = device;
  return code == nvml::not_supported ? nvml::success : code;
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetName(nvml::Device, char* text, unsigned size) {
  std::snprintf(text, size, "Scripted GPU 80GB");
  return nvml::success;
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetUUID(nvml::Device device, char* text, unsigned size) {
  std::snprintf(text, size, "GPU-script-%zu", reinterpret_cast<std::size_t>(device));
  return nvml::success;
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetPciInfo_v3(nvml::Device device, nvml::PciInfo* out) {
  std::memset(out, 0, sizeof *out);
  out->bus = static_cast<unsigned>(reinterpret_cast<std::size_t>(device)) + 0x39;
  std::snprintf(out->busIdLegacy, sizeof out->busIdLegacy, "0000:%02X:00.0", out->bus & 0xFF);
  std::snprintf(out->busId, sizeof out->busId, "00000000:%02X:00.0", out->bus & 0xFF);
  return nvml::success;
}

#define SCRIPTED_NUMBER(function, type)                                                                         \
  __attribute__((visibility("default"))) nvml::Return nvmlDeviceGet##function(nvml::Device device, type* out) { \
    return number(#function, device, out);                                                                      \
  }
SCRIPTED_NUMBER(PowerUsage, unsigned)
SCRIPTED_NUMBER(EnforcedPowerLimit, unsigned)
SCRIPTED_NUMBER(PowerManagementDefaultLimit, unsigned)
SCRIPTED_NUMBER(TotalEnergyConsumption, unsigned long long)
SCRIPTED_NUMBER(CurrentClocksThrottleReasons, unsigned long long)  // the older name: a library of before version 535
SCRIPTED_NUMBER(PcieReplayCounter, unsigned)
SCRIPTED_NUMBER(CurrPcieLinkWidth, unsigned)
SCRIPTED_NUMBER(CurrPcieLinkGeneration, unsigned)
SCRIPTED_NUMBER(MaxPcieLinkWidth, unsigned)
SCRIPTED_NUMBER(FanSpeed, unsigned)
#undef SCRIPTED_NUMBER

__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetTemperature(nvml::Device device, int, unsigned* out) {
  return number("Temperature", device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetTemperatureThreshold(nvml::Device device, int type,
                                                                                      unsigned* out) {
  return number(("TemperatureThreshold" + std::to_string(type)).c_str(), device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetClockInfo(nvml::Device device, int type,
                                                                           unsigned* out) {
  return number(("ClockInfo" + std::to_string(type)).c_str(), device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetMaxClockInfo(nvml::Device device, int type,
                                                                              unsigned* out) {
  return number(("MaxClockInfo" + std::to_string(type)).c_str(), device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetTotalEccErrors(nvml::Device device, int type, int,
                                                                                unsigned long long* out) {
  return number(("TotalEccErrors" + std::to_string(type)).c_str(), device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetRetiredPages(nvml::Device device, int cause,
                                                                              unsigned* count, unsigned long long*) {
  const nvml::Return code = number(("RetiredPages" + std::to_string(cause)).c_str(), device, count);
  return code == nvml::success && *count > 0 ? nvml::insufficient_size : code;
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetNvLinkState(nvml::Device device, unsigned link,
                                                                             int* out) {
  return number(("NvLinkState" + std::to_string(link)).c_str(), device, out);
}
__attribute__((visibility("default"))) nvml::Return nvmlDeviceGetFieldValues(nvml::Device device, int count,
                                                                             nvml::FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    unsigned long long value = 0;
    values[i].nvmlReturn = answer("Field" + std::to_string(values[i].fieldId), device, value);
    values[i].valueType = nvml::type_unsigned_long_long;
    values[i].value.ullVal = value;
  }
  return nvml::success;
}

}  // extern "C"
