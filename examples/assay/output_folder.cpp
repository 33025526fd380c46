#include "output_folder.hpp"

#include <cstdint>
#include <system_error>

#include "assay/report/write_file.hpp"

namespace assay_program {

namespace fs = std::filesystem;

assay::Result<OutputFolder> OutputFolder::open(const std::string& folder, std::vector<const ReportFormat*> formats) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' cannot be made: " + code.message() +
                                                    "; name a folder that can be written");
  const OutputFolder output(fs::path(folder), std::move(formats));
  for (const fs::path& file : output.files())
    if (fs::is_directory(file, code))
      return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' has a folder where " +
                                                      file.filename().string() + " is to be; name another");
  const fs::path probe = output.folder_ / ".assay-probe";
  if (const auto written = assay::write_file(probe, "assay\n"); !written)
    return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' cannot be written: " + written.error().message);
  fs::remove(probe, code);
  return output;
}

assay::Result<void> OutputFolder::has_room_for(std::size_t cases) const {
  constexpr std::uintmax_t bytes_of_a_case = 2048;  // measured: 1400 in JSON, 1500 in HTML, failures more
  std::error_code code;
  const fs::space_info space = fs::space(folder_, code);
  const std::uintmax_t needed = 65536 + bytes_of_a_case * cases * formats_.size();
  if (code || space.available >= needed) return {};
  return assay::failure(assay::ErrorKind::io,
                        "--out '" + folder_.string() + "' has " + std::to_string(space.available / 1024) +
                            " KiB left, and the report on " + std::to_string(cases) + " cases needs about " +
                            std::to_string(needed / 1024) + "; make room or name another folder");
}

assay::Result<void> OutputFolder::write(const assay::Run& run) const {
  std::string failures;
  for (const ReportFormat* format : formats_)
    if (const auto written = format->write(run, folder_ / format->file); !written)
      failures += (failures.empty() ? "" : "; ") + written.error().message;
  if (failures.empty()) return {};
  return assay::failure(assay::ErrorKind::io, failures);
}

std::vector<fs::path> OutputFolder::files() const {
  std::vector<fs::path> files;
  for (const ReportFormat* format : formats_) files.push_back(folder_ / format->file);
  return files;
}

}  // namespace assay_program
