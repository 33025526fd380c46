#include "stage_journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/report/read_file.hpp"
#include "certificate.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

EndedStage ended_stage(const Json& line) {
  EndedStage stage;
  if (const auto key = line.find("key"); key != line.end() && key->is_string()) stage.key = key->get<std::string>();
  for (const auto& [name, number] : {std::pair("start", &stage.start), std::pair("end", &stage.end)})
    if (const auto found = line.find(name); found != line.end() && found->is_number()) *number = found->get<double>();
  if (const auto files = line.find("files"); files != line.end() && files->is_object())
    for (const auto& [file, hash] : files->items())
      if (hash.is_string()) stage.files[file] = hash.get<std::string>();
  return stage;
}

}  // namespace

std::map<std::string, EndedStage> read_stage_journal(const fs::path& folder) {
  std::map<std::string, EndedStage> stages;
  const auto text = assay::read_file(folder / journal_file);
  if (!text) return stages;
  for (std::size_t start = 0; start < text.value().size();) {
    const std::size_t end = text.value().find('\n', start);
    if (end == std::string::npos) break;
    const Json line = Json::parse(text.value().substr(start, end - start), nullptr, false);
    start = end + 1;
    if (line.is_object() && line.contains("stage") && line["stage"].is_string())
      stages[line["stage"].get<std::string>()] = ended_stage(line);
  }
  return stages;
}

std::string changed_file(const fs::path& folder, const EndedStage& stage) {
  if (stage.files.empty()) return journal_file;
  for (const auto& [file, hash] : stage.files) {
    const auto now = hash_of_file(folder / file);
    if (!now || now.value() != hash) return file;
  }
  return {};
}

assay::Result<void> note_ended_stage(const fs::path& folder, const std::string& name, const EndedStage& stage) {
  const Json line{
      {"stage", name}, {"key", stage.key}, {"start", stage.start}, {"end", stage.end}, {"files", stage.files}};
  // A line that a crash has torn is closed: what is added never continues it.
  const fs::path path = folder / journal_file;
  const auto before = assay::read_file(path);
  const bool torn = before && !before.value().empty() && before.value().back() != '\n';
  const std::string text = (torn ? "\n" : "") + line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (written) return {};
  return assay::failure(assay::ErrorKind::io, "'" + path.string() + "' cannot be written; is the disk full?");
}

assay::Result<FolderLock> FolderLock::take(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file);
    return assay::failure(assay::ErrorKind::invalid, "another assay certify is at work in '" + folder.string() +
                                                         "'; wait for it, or give another folder");
  }
  return FolderLock(file);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace assay_program
