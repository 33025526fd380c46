#include "certificate.hpp"

#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/baselines/sha256.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/core/version.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

assay::Result<std::map<std::string, std::string>> signed_files(const fs::path& folder) {
  auto files = hashes_below(folder, folder / "evidence");
  if (!files) return files;
  for (const char* name : {"plan.json", "policy.json"}) {
    const auto hash = hash_of_file(folder / name);
    if (!hash) return hash.propagate();
    files.value()[name] = hash.value();
  }
  return files;
}

}  // namespace

std::string hash_of(std::string_view bytes) {
  return assay::detail::sha256(bytes);
}

assay::Result<std::string> hash_of_file(const fs::path& path) {
  const auto text = assay::read_file(path);
  if (!text) return text.propagate();
  return hash_of(text.value());
}

assay::Result<std::map<std::string, std::string>> hashes_below(const fs::path& root, const fs::path& below) {
  std::map<std::string, std::string> files;
  std::error_code code;
  for (fs::recursive_directory_iterator at(below, code), end; !code && at != end; at.increment(code)) {
    if (!at->is_regular_file(code)) continue;
    auto hash = hash_of_file(at->path());
    if (!hash) return hash.propagate();
    files[at->path().lexically_relative(root).generic_string()] = std::move(hash).value();
  }
  if (code) return assay::failure(assay::ErrorKind::io, "'" + below.string() + "': " + code.message());
  return files;
}

assay::Result<void> issue_certificate(const fs::path& folder, const std::string& title, const std::string& by) {
  const auto files = signed_files(folder);
  if (!files) return files.propagate();
  const assay::Environment environment = assay::detect_environment();
  Json json{{"schema", certificate_schema},
            {"verdict", "approved"},
            {"title", title},
            {"by", by},
            {"time", environment.started_at},
            {"machine", environment.processor},
            {"version", assay::version},
            {"sha256", Json::object()}};
  for (const auto& [file, hash] : files.value()) json["sha256"][file] = hash;
  return assay::write_file(folder / certificate_file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

assay::Result<Certificate> read_certificate(const fs::path& folder) {
  const fs::path path = folder / certificate_file;
  const auto text = assay::read_file(path);
  if (!text) return text.propagate();
  const auto refused = [&](const std::string& why) {
    return assay::failure(assay::ErrorKind::malformed, "'" + path.string() + "': " + why);
  };
  const Json json = Json::parse(text.value(), nullptr, false);
  if (!json.is_object()) return refused("no JSON object");
  Certificate certificate;
  std::string schema, verdict;
  const std::pair<const char*, std::string*> members[] = {{"schema", &schema},
                                                          {"verdict", &verdict},
                                                          {"title", &certificate.title},
                                                          {"by", &certificate.by},
                                                          {"time", &certificate.time},
                                                          {"machine", &certificate.machine},
                                                          {"version", &certificate.version}};
  for (const auto& [name, value] : members) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return refused(std::string("no text \"") + name + "\"");
    *value = found->get<std::string>();
  }
  if (schema != certificate_schema) return refused("its form is not " + std::string(certificate_schema));
  if (verdict != "approved" || certificate.by.empty()) return refused("it approves nothing, or nobody signed it");
  const auto files = json.find("sha256");
  if (files == json.end() || !files->is_object() || files->empty()) return refused("it names no files");
  for (const auto& [file, hash] : files->items()) {
    if (!hash.is_string()) return refused("the hash of '" + assay::visible(file) + "' is no text");
    certificate.files[file] = hash.get<std::string>();
  }
  return certificate;
}

assay::Result<std::vector<std::string>> certificate_differences(const fs::path& folder,
                                                                const Certificate& certificate) {
  const auto now = signed_files(folder);
  if (!now) return now.propagate();
  std::vector<std::string> differences;
  for (const auto& [file, hash] : certificate.files) {
    const auto found = now.value().find(file);
    if (found == now.value().end())
      differences.push_back("absent: " + assay::visible(file));
    else if (found->second != hash)
      differences.push_back("changed: " + assay::visible(file));
  }
  for (const auto& [file, hash] : now.value())
    if (certificate.files.count(file) == 0) differences.push_back("added: " + assay::visible(file));
  return differences;
}

}  // namespace assay_program
