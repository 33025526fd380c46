#include "load_recorder.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "assay/core/monotonic_time.hpp"
#include "assay/hardware/timeline_html.hpp"
#include "assay/report/text.hpp"

namespace assay_program {

assay::Result<std::unique_ptr<LoadRecorder>> LoadRecorder::start(TelemetryOrigin origin, double interval,
                                                                 const std::string& file) {
  origin.seldom_seconds = 1;
  origin.deadline_seconds = 5;  // beside a load on every processor, slow is not hung
  auto sources = open_telemetry_sources(origin);
  if (!sources) return sources.propagate();
  std::unique_ptr<LoadRecorder> load(new LoadRecorder);
  load->notes_ = std::move(sources.value().notes);
  for (const assay::AnySource& source : sources.value().open) load->sensors_ += source.sensors().size();
  assay::RecorderOptions how;
  how.interval_seconds = interval;
  if (!file.empty())
    how.observer = [raw = load.get()](const std::vector<assay::Reading>& readings,
                                      const std::vector<assay::TelemetryEvent>& events) {
      raw->writer_->write(readings, events);
    };
  load->origin_ = std::move(origin);
  load->recorder_ = std::make_unique<assay::Recorder>(std::move(sources.value().open), how);
  if (!file.empty()) {
    assay::Recording description = load->recorder_->description();
    description.begin_nanoseconds = assay::detail::monotonic_nanoseconds();
    auto created = assay::RecordingWriter::create(file, description);
    if (!created) return created.propagate();
    load->writer_ = std::make_unique<assay::RecordingWriter>(std::move(created).value());
  }
  load->recorder_->start();
  return load;
}

void LoadRecorder::begin_load() {
  load_begin_ = assay::detail::monotonic_nanoseconds();
}

void LoadRecorder::end_load() {
  load_end_ = assay::detail::monotonic_nanoseconds();
}

std::vector<assay::Outcome> LoadRecorder::finish(assay::LoadTelemetryOptions options) {
  if (!load_end_) end_load();
  if (sensors_ > 0) std::this_thread::sleep_for(std::chrono::duration<double>(origin_.seldom_seconds + 0.3));
  assay::Recording recording = recorder_->stop();
  options.load_begin = load_begin_.value_or(recording.begin_nanoseconds);
  options.load_end = load_end_;
  joined_ = assay::join_devices(std::move(recording));
  std::vector<assay::Outcome> outcomes = assay::judge_load_telemetry(joined_, options);
  for (assay::Outcome& outcome : outcomes)
    if (outcome.id == "hardware/sensors")
      outcome.diagnosis.insert(outcome.diagnosis.end(), notes_.begin(), notes_.end());
  if (writer_)
    if (const auto written = writer_->finish(assay::detail::monotonic_nanoseconds()); !written) {
      assay::Outcome outcome;
      outcome.id = "hardware/recording";
      outcome.verdict = assay::Verdict::error;
      outcome.reason = written.error().message;
      outcomes.push_back(std::move(outcome));
    }
  return outcomes;
}

std::string LoadRecorder::figures() const {
  bool drawn = false;
  for (std::size_t device = 0; device < joined_.devices.size(); ++device)
    for (const assay::Quantity quantity : {assay::Quantity::power, assay::Quantity::temperature, assay::Quantity::clock,
                                           assay::Quantity::throttle_reasons})
      if (const auto sensor = joined_.sensor_of(device, quantity)) drawn = drawn || joined_.last_value(*sensor);
  if (!drawn && joined_.events.empty()) return {};
  std::string markup =
      "<h2 id=\"telemetry\">Telemetry <small>" + std::to_string(joined_.sensors.size()) + " sensors</small></h2>\n";
  if (load_begin_ && load_end_)
    markup += "<p class=\"note\">Power and heat are judged from " +
              assay::number_text(joined_.seconds(*load_begin_), 3) + " s to " +
              assay::number_text(joined_.seconds(*load_end_), 3) + " s, under full load.</p>\n";
  assay::TimelineOptions how;
  how.most_devices = 32;
  return markup + assay::timeline_sections(joined_, how);
}

}  // namespace assay_program
