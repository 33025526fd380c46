#pragma once

#include "assay/hardware/soak/soak_journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/core/config.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string soak_line(const SoakRecord& record) {
  nlohmann::ordered_json json{{"round", record.round},
                              {"step", record.step},
                              {"begin", record.begin},
                              {"seconds", record.seconds},
                              {"verdict", std::string(name_of(record.verdict))},
                              {"reason", record.reason}};
  if (record.rate) json["rate"] = *record.rate;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<SoakRecord> soak_record(const nlohmann::json& json) {
  const auto is = [&](const char* name, auto test) { return json.contains(name) && test(json[name]); };
  const auto number = [](const nlohmann::json& value) { return value.is_number(); };
  const auto text = [](const nlohmann::json& value) { return value.is_string(); };
  if (!json.is_object() || !is("round", [](const auto& value) { return value.is_number_unsigned(); }) ||
      !is("begin", number) || !is("seconds", number) || !is("step", text) || !is("reason", text) ||
      !is("verdict", text))
    return std::nullopt;
  const auto verdict = verdict_named(json["verdict"].get<std::string>());
  if (!verdict || (json.contains("rate") && !json["rate"].is_number())) return std::nullopt;
  SoakRecord record{json["round"], json["step"], json["begin"], json["seconds"],
                    std::nullopt,  *verdict,     json["reason"]};
  if (json.contains("rate")) record.rate = json["rate"].get<double>();
  return record;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool append_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return ::fsync(file) == 0;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<SoakJournal> SoakJournal::open(const std::filesystem::path& path,
                                                                 const std::string& plan) {
  std::vector<SoakRecord> records;
  std::string text;
  std::error_code code;
  if (std::filesystem::exists(path, code)) {
    auto read = read_file(path);
    if (!read) return read.propagate();
    text = std::move(read).value();
  }
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  std::size_t number = 0;
  for (std::size_t at = 0; at < whole;) {
    const std::size_t end = text.find('\n', at);
    const auto json = nlohmann::json::parse(text.substr(at, end - at), nullptr, false);
    at = end + 1;
    const std::string where = "line " + std::to_string(++number) + " of '" + path.string() + "'";
    if (number == 1) {
      if (!json.is_object() || !json.contains("plan") || !json["plan"].is_string())
        return failure(ErrorKind::malformed, where + " does not begin a journal of a soak; name another file");
      if (json["plan"] != plan)
        return failure(ErrorKind::invalid, "'" + path.string() + "' is the journal of another soak (" +
                                               json["plan"].get<std::string>() + ") than this (" + plan +
                                               "); give the same options, or another file");
      continue;
    }
    auto record = detail::soak_record(json);
    if (!record) return failure(ErrorKind::malformed, where + " is no record of a soak; mend or remove it");
    records.push_back(std::move(*record));
  }
  const auto refuse = [&](const char* what) {
    return failure(ErrorKind::io, "'" + path.string() + "' cannot be " + what + ": " + std::strerror(errno));
  };
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return refuse("opened");
  SoakJournal journal(path, file, std::move(records));
  if (::ftruncate(file, static_cast<off_t>(whole)) != 0 || ::lseek(file, 0, SEEK_END) < 0) return refuse("cut");
  if (number == 0 &&
      !detail::append_all(
          file, nlohmann::json{{"plan", plan}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"))
    return refuse("written");
  return journal;
}

ASSAY_DETAIL_HEADER_INLINE SoakJournal::SoakJournal(SoakJournal&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), records_(std::move(other.records_)) {}

ASSAY_DETAIL_HEADER_INLINE SoakJournal::~SoakJournal() {
  if (file_ >= 0) ::close(file_);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SoakJournal::keep(const SoakRecord& record) {
  if (!detail::append_all(file_, detail::soak_line(record)))
    return failure(ErrorKind::io, "a record could not be kept in '" + path_.string() + "': " + std::strerror(errno));
  return {};
}

}  // namespace assay::inline v0
