#include "telemetry_sources.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/nearest_name.hpp"
#include "assay/telemetry/kernel_log.hpp"
#include "assay/telemetry/open_vendor_library.hpp"
#include "assay/telemetry/sysfs.hpp"
#include "assay/telemetry/worker_source.hpp"

namespace assay_program {

namespace {

assay::Result<assay::AnySource> open_source(const std::string& name, const TelemetryOrigin& options,
                                            std::vector<std::string>& notes) {
  if (name == "sysfs") {
    assay::SysfsOptions how;
    how.root = options.root;
    how.seldom_seconds = options.seldom_seconds;
    auto source = assay::SysfsSource::open(how);
    if (!source) return source.propagate();
    for (const std::string& note : source.value().notes()) notes.push_back("sysfs: " + note);
    return assay::AnySource(std::move(source).value());
  }
  if (name == "kernel_log") {
    auto source = assay::KernelLogSource::open({options.kernel_log, false});
    if (!source) return source.propagate();
    return assay::AnySource(std::move(source).value());
  }
  assay::WorkerOptions how;
  how.command = {"/proc/self/exe", "telemetry", "serve", name, "--no-config"};
  how.seldom_seconds = options.seldom_seconds;
  how.deadline_seconds = options.deadline_seconds;
  if (!options.library.empty()) how.command.insert(how.command.end(), {"--library", options.library});
  auto source = assay::WorkerSource::open(std::move(how));
  if (!source) return source.propagate();
  return assay::AnySource(std::move(source).value());
}

}  // namespace

assay::Result<TelemetrySources> open_telemetry_sources(const TelemetryOrigin& options) {
  std::vector<std::string> known{"sysfs", "kernel_log"};
  for (const std::string& name : assay::vendor_library_names()) known.push_back(name);
  std::vector<std::string> vendors;
  for (const std::string& name : options.sources) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("source", name, known));
    if (name != "sysfs" && name != "kernel_log") vendors.push_back(name);
  }
  if (!options.library.empty() && vendors.size() != 1)
    return assay::failure(
        assay::ErrorKind::invalid,
        "the file of one vendor's library is given, and not whose; name which by --source (of hardware and "
        "node: --telemetry)");
  TelemetrySources sources;
  for (const std::string& name : options.sources.empty() ? known : options.sources) {
    auto source = open_source(name, options, sources.notes);
    if (source) {
      sources.open.push_back(std::move(source).value());
      continue;
    }
    if (!options.sources.empty()) return assay::failure(source.error().kind, name + ": " + source.error().message);
    sources.notes.push_back(name + ": " + source.error().message);
  }
  return sources;
}

}  // namespace assay_program
