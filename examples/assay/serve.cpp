#include "serve.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "assay/core/detect_environment.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "assay/serving/event_log.hpp"
#include "assay/serving/request_metrics.hpp"
#include "assay/serving/tokenizer_file.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "fault.hpp"

namespace assay_program {

namespace {

assay::ServingInterface interface_named(const std::string& name) {
  return name == "completions" ? assay::ServingInterface::completions
         : name == "responses" ? assay::ServingInterface::responses
                               : assay::ServingInterface::chat;
}

}  // namespace

ServeSession::ServeSession(const CommandLine& line)
    : line_(line),
      interruption_(!line.output_folder.empty() || !line.serve.events.empty()),
      start_ns_(assay::detail::monotonic_nanoseconds()),
      live_(line.verbosity != assay::Verbosity::quiet && isatty(STDERR_FILENO) == 1) {}

ServeSession::~ServeSession() {
  if (events_ != nullptr) std::fclose(events_);
}

assay::Result<std::unique_ptr<ServeSession>> ServeSession::open(const CommandLine& line) {
  const ServeOptions& given = line.serve;
  std::unique_ptr<ServeSession> session(new ServeSession(line));
  if (!given.prompts.empty()) {
    const auto text = assay::read_file(given.prompts, "a file of prompts");
    if (!text) return text.propagate();
    auto prompts = assay::prompts_from_text(text.value());
    if (!prompts) return prompts.propagate();
    session->prompts_ = std::move(prompts).value();
  }
  if (!given.tokenizer.empty()) {
    const auto tokenizer = assay::BytePairTokenizer::read(given.tokenizer);
    if (!tokenizer) return tokenizer.propagate();
    session->counter_ = tokenizer.value().counter();
  }
  if (!line.output_folder.empty()) {
    auto output = OutputFolder::open(line.output_folder, line.formats);
    if (!output) return output.propagate();
    if (const auto room = output.value().has_room_for(16); !room) return room.propagate();
    session->output_ = std::make_unique<OutputFolder>(std::move(output).value());
  }
  if (!given.events.empty()) {
    session->events_ = std::fopen(given.events.c_str(), "wbe");
    if (session->events_ == nullptr)
      return assay::failure(assay::ErrorKind::io, "'" + given.events +
                                                      "' cannot be written; name a file in a folder "
                                                      "that is there");
  }
  assay::GenerationRequest& request = session->request_;
  request.interface = interface_named(given.interface);
  request.model = given.model;
  request.more = given.more;
  if (const auto body = assay::request_body(request); !body) return body.propagate();
  if (given.url.empty()) return session;
  const auto server = assay::parse_server_url(given.url);
  if (!server) return server.propagate();
  session->server_ = server.value();
  session->server_.verified = !given.insecure;
  session->server_.authority = given.authority;
  if (const char* key = std::getenv("ASSAY_SERVER_KEY"); key != nullptr) session->key_ = key;
  assay::raise_open_file_limit();
  if (request.model.empty()) {
    auto model = assay::first_model(session->server_, session->key_);
    if (!model) return model.propagate();
    request.model = std::move(model).value();
  }
  return session;
}

assay::StreamClientOptions ServeSession::client() {
  assay::StreamClientOptions options;
  options.deadline = line_.serve.deadline;
  options.key = key_;
  options.stop = &stop();
  options.ended = [this](const assay::RequestRecord& record) { take(record); };
  return options;
}

void ServeSession::take(const assay::RequestRecord& record) {
  ++ended_;
  const auto metrics = assay::request_metrics(record);
  if (!metrics.served) {
    ++failed_;
    last_reason_ = record.reason;
  }
  if (metrics.first_token) {
    if (first_tokens_.size() >= 200) first_tokens_.erase(first_tokens_.begin(), first_tokens_.begin() + 100);
    first_tokens_.push_back(*metrics.first_token);
  }
  if (events_ != nullptr && !events_failed_) {
    const std::string text = assay::event_line(record, start_ns_) + "\n";
    if (std::fwrite(text.data(), 1, text.size(), events_) != text.size() || std::fflush(events_) != 0) {
      events_failed_ = true;  // the run goes on: its numbers are worth more than its events
      tell("the events of further requests are lost: '" + line_.serve.events + "' could not be written");
    }
  }
  show_live();
}

void ServeSession::show_live() {
  const std::int64_t now = assay::detail::monotonic_nanoseconds();
  if (!live_ || now - shown_ns_ < 500'000'000) return;
  shown_ns_ = now;
  std::string text = std::to_string(ended_) + " answered";
  if (failed_ > 0)
    text += ", " + std::to_string(failed_) + " not served (" + assay::clipped(assay::visible(last_reason_), 40) + ")";
  if (!first_tokens_.empty())
    text += ", TTFT of the latest: median " + assay::duration_text(assay::quantile(first_tokens_, 0.5)) + ", p95 " +
            assay::duration_text(assay::quantile(first_tokens_, 0.95));
  std::fprintf(stderr, "\r\x1b[2K%lld s: %s", static_cast<long long>((now - start_ns_) / 1'000'000'000), text.c_str());
  std::fflush(stderr);
  live_shown_ = true;
}

void ServeSession::erase_live() {
  if (std::exchange(live_shown_, false)) std::fputs("\r\x1b[2K", stderr);
}

void ServeSession::tell(const std::string& text) {
  erase_live();
  if (line_.verbosity != assay::Verbosity::quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

int ServeSession::finish(const std::string& title, std::vector<assay::Outcome> outcomes, std::size_t planned) {
  erase_live();
  assay::Run run;
  run.title = title;
  run.command = line_.text;
  run.seed = line_.serve.seed;
  run.environment = assay::detect_environment();
  run.require_conclusive = line_.require_conclusive;
  run.planned_cases = planned;
  run.duration_seconds = static_cast<double>(assay::detail::monotonic_nanoseconds() - start_ns_) * 1e-9;
  for (assay::Outcome& outcome : outcomes) {
    outcome.labels["model"] = request_.model;
    outcome.labels["interface"] = line_.serve.interface;
    if (server_.secure) outcome.labels["tls"] = server_.verified ? "verified" : "insecure";
    if (server_.secure && !server_.verified)
      outcome.derivation.push_back("the server's certificate was not verified (--insecure): who answered is not known");
    if (outcome.reproduce.empty()) outcome.reproduce = line_.text;
    std::printf("%-12s %s%s%s\n", std::string(name_of(outcome.verdict)).c_str(), outcome.id.c_str(),
                outcome.reason.empty() ? "" : ": ", assay::visible(outcome.reason).c_str());
    if (line_.verbosity == assay::Verbosity::quiet) continue;
    for (const std::string& cause : outcome.diagnosis) std::printf("    %s\n", assay::visible(cause).c_str());
    for (const assay::Table& table : outcome.tables)
      for (const std::string& row : assay::text_lines(table)) std::printf("    %s\n", row.c_str());
    if (line_.verbosity == assay::Verbosity::verbose)
      for (const std::string& step : outcome.derivation) std::printf("    · %s\n", assay::visible(step).c_str());
  }
  run.outcomes = std::move(outcomes);
  if (output_) {
    if (const auto written = output_->write(run); !written) return fault(written.error().message);
    for (const auto& file : output_->files()) std::printf("report: %s\n", file.string().c_str());
  }
  const int code = run.exit_code();
  return events_failed_ && code == 0 ? 2 : code;
}

}  // namespace assay_program
