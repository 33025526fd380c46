#include "output_folder.hpp"

#include <system_error>

#include "assay/report/html.hpp"
#include "assay/report/json.hpp"
#include "assay/report/write_file.hpp"

namespace assay_program {

assay::Result<OutputFolder> OutputFolder::open(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' cannot be made: " + code.message() + "; name a folder that can be written");
  const OutputFolder output{fs::path(folder)};
  for (const fs::path& file : {output.json(), output.html()})
    if (fs::is_directory(file, code))
      return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' has a folder where " + file.filename().string() + " is to be; name another");
  const fs::path probe = output.folder_ / ".assay-probe";
  if (const auto written = assay::write_file(probe, "assay\n"); !written)
    return assay::failure(assay::ErrorKind::io, "--out '" + folder + "' cannot be written: " + written.error().message);
  fs::remove(probe, code);
  return output;
}

assay::Result<void> OutputFolder::write(const assay::Run& run) const {
  const auto json_written = assay::write_json(run, json());
  const auto html_written = assay::write_html(run, html());
  return json_written ? html_written : json_written;
}

}  // namespace assay_program
