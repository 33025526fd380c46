#include "suites/python_process.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <regex>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/process/ending.hpp"
#include "suites/python_sources.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;
namespace detail = assay::detail;

/// Of an answer, which names a status and a reason.
constexpr std::uint64_t longest_answer = std::uint64_t{1} << 30;

/// Takes the sources of the worker over the channel, and lets it serve: a package that no path leads to.
constexpr const char* start_of_worker = R"python(
import json, socket, struct, sys, types
channel = socket.socket(fileno=3)
def receive(size):
    data = b""
    while len(data) < size:
        part = channel.recv(size - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data
package = sys.modules["assay_worker"] = types.ModuleType("assay_worker")
package.__path__ = []
for name, text in json.loads(receive(struct.unpack("=Q", receive(8))[0])):
    module = sys.modules["assay_worker." + name] = types.ModuleType("assay_worker." + name)
    module.__package__ = "assay_worker"
    setattr(package, name, module)
    exec(compile(text, "assay/" + name + ".py", "exec"), module.__dict__)
package._worker.serve(channel, 4)
)python";

/// Where the module was when Python was ended, as faulthandler tells it.
std::string place_of_crash(const std::string& words) {
  static const std::regex frame("File \"([^\"]*/)?([^\"/]+)\", line ([0-9]+) in ([^\n]+)");
  const std::size_t fatal = words.rfind("Fatal Python error"), thread = words.find("Current thread", fatal);
  std::smatch found;
  const std::string told = fatal == std::string::npos || thread == std::string::npos ? "" : words.substr(thread);
  if (!std::regex_search(told, found, frame)) return {};
  return ", in line " + found[3].str() + " of " + found[2].str() + ", " + found[4].str();
}

/// The last line of what Python printed, or all of what faulthandler told.
std::string words_of(const detail::WorkerOutput& output) {
  std::string text = output.last(4096);
  return text.find("Fatal Python error") != std::string::npos ? text : std::string(detail::last_line(text));
}

}  // namespace

std::string python_interpreter() {
  const char* const named = std::getenv("ASSAY_PYTHON");
  return named != nullptr && *named != '\0' ? named : "python3";
}

assay::Result<void> PythonProcess::share() {
  if (shared_) return {};
  auto shared = detail::open_nameless_file();
  if (!shared) return shared.propagate();
  shared_ = std::move(shared).value();
  return {};
}

void PythonProcess::unmap() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  memory_ = nullptr;
  bytes_ = 0;
}

assay::Result<void> PythonProcess::start() {
  if (auto shared = share(); !shared) return shared;
  detail::WorkerCommand command{{python_interpreter(), "-X", "faulthandler", "-c", start_of_worker}};
  command.shared = {shared_.number()};
  command.own_group = false;  // this process's group is killed as a whole where a case takes too long
  auto started = detail::ExecutedWorker::start(command);
  if (!started)
    return failure(started.error().kind,
                   started.error().message + "; install Python 3.9 or later, or name its interpreter by ASSAY_PYTHON");
  worker_ = std::move(started).value();
  nlohmann::json sources = nlohmann::json::array();
  for (const PythonSource& source : python_sources()) sources.push_back({source.name, source.text});
  static_cast<void>(worker_->send_message(sources.dump(), detail::no_deadline));  // the next question tells its end
  return {};
}

assay::Result<nlohmann::json> PythonProcess::describe() {
  worker_.reset();
  const std::int64_t deadline = detail::deadline_in(seconds_);
  if (auto started = start(); !started) return started.propagate();
  auto told = converse({{"module", module_}}, deadline);
  if (!told && told.error().kind == ErrorKind::timed_out)
    return failure(ErrorKind::timed_out, "it was not imported within " + detail::printed_number(seconds_, 4) +
                                             " s, and Python was ended; --timeout gives it more");
  if (told && told.value().contains("error")) {
    worker_.reset();
    return failure(ErrorKind::invalid, told.value()["error"].get<std::string>());
  }
  return told;
}

assay::Result<unsigned char*> PythonProcess::memory(std::size_t bytes) {
  if (bytes <= bytes_) return memory_;
  if (auto shared = share(); !shared) return shared.propagate();
  unmap();
  if (::ftruncate(shared_.number(), static_cast<off_t>(bytes)) != 0)
    return detail::system_failure("no memory to share with Python");
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared_.number(), 0);
  if (mapped == MAP_FAILED) return detail::system_failure("no memory to share with Python");
  memory_ = static_cast<unsigned char*>(mapped);
  bytes_ = bytes;
  return memory_;
}

assay::Result<nlohmann::json> PythonProcess::ask(const nlohmann::json& request) {
  if (!worker_)
    if (auto described = describe(); !described) return described;
  return converse(request, detail::no_deadline);
}

assay::Result<nlohmann::json> PythonProcess::converse(const nlohmann::json& request, std::int64_t deadline) {
  const auto answer = worker_->ask(request.dump(), deadline, longest_answer);
  nlohmann::json read;
  if (answer) read = nlohmann::json::parse(answer.value(), nullptr, false);
  if (read.is_object()) return read;
  const detail::Ending how = worker_->end();
  const std::string words = words_of(worker_->output()), place = place_of_crash(words);
  worker_.reset();
  if (answer || answer.error().kind == ErrorKind::malformed)
    return failure(ErrorKind::malformed, "Python sent what is no answer; does the module write to descriptor 3?");
  if (answer.error().kind == ErrorKind::timed_out) return answer.propagate();
  return failure(ErrorKind::aborted, "Python ended: " + detail::description_of(how) +
                                         (place.empty() && !words.empty() ? "; its last words: " + words : place));
}

}  // namespace assay_program
