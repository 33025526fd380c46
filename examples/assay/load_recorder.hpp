#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/hardware/load_telemetry.hpp"
#include "assay/telemetry/recorder.hpp"
#include "assay/telemetry/recording_file.hpp"
#include "telemetry_sources.hpp"

namespace assay_program {

/// Records sensors beside a load, and judges what they told.
class LoadRecorder {
 public:
  /// Opens the sources and begins. `file`: where the recording is kept, too; empty: nowhere. Errors: those of
  /// `open_telemetry_sources` and of writing.
  [[nodiscard]] static assay::Result<std::unique_ptr<LoadRecorder>> start(TelemetryOrigin origin, double interval,
                                                                          const std::string& file);

  /// The load by which power and heat are judged. What is not called: it lasts from the beginning to the end.
  void begin_load();
  void end_load();

  /// Ends, after errors that were counted until now were read; once.
  [[nodiscard]] std::vector<assay::Outcome> finish(assay::LoadTelemetryOptions options);

  /// What is not here, and why.
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }
  /// How many sensors there are.
  [[nodiscard]] std::size_t sensors() const noexcept { return sensors_; }
  /// After `finish`: pictures for a page, as markup; empty where nothing was told over time.
  [[nodiscard]] std::string figures() const;

 private:
  LoadRecorder() = default;

  TelemetryOrigin origin_;
  std::vector<std::string> notes_;
  std::size_t sensors_ = 0;
  std::unique_ptr<assay::RecordingWriter> writer_;
  std::unique_ptr<assay::Recorder> recorder_;
  std::optional<std::int64_t> load_begin_, load_end_;
  assay::Recording joined_;
};

}  // namespace assay_program
