#include "configuration.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "assay/report/read_file.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "assay.toml";

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The last folder in which a file counts, going up from `start`.
fs::path boundary(const fs::path& start) {
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (is_there(folder / ".git")) return folder;
    if (!folder.has_relative_path()) break;
  }
  const fs::path home = variable("HOME");
  for (fs::path folder = start; folder.has_relative_path(); folder = folder.parent_path())
    if (folder == home) return home;
  return start;
}

std::string nearest_file() {
  std::error_code code;
  const fs::path start = fs::current_path(code);
  if (code) return {};
  const fs::path last = boundary(start);
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (is_there(folder / file_name)) return (folder / file_name).string();
    if (folder == last || !folder.has_relative_path()) return {};
  }
}

}  // namespace

assay::Result<std::optional<Configuration>> find_configuration(const std::string& given) {
  const std::string from_environment = variable("ASSAY_CONFIG");
  const std::string named = !given.empty() ? given : from_environment;
  const std::string file = !named.empty() ? named : nearest_file();
  if (file.empty()) return std::optional<Configuration>();
  const std::string who = !given.empty() ? "--config" : !from_environment.empty() ? "ASSAY_CONFIG" : "settings";
  if (!is_there(file))
    return assay::failure(assay::ErrorKind::not_found,
                          who + " '" + file + "' does not exist; name a file, or give --no-config");
  const auto text = assay::read_file(file, "a settings file, or give --no-config");
  if (!text) return assay::failure(text.error().kind, who + ": " + text.error().message);
  auto settings = read_settings(text.value(), file);
  if (!settings) return settings.propagate();
  return std::optional<Configuration>(Configuration{file, std::move(settings).value()});
}

}  // namespace assay_program
