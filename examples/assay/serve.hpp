#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/serving/load_run.hpp"
#include "assay/serving/token_count.hpp"
#include "command_line.hpp"
#include "interruption.hpp"
#include "output_folder.hpp"

namespace assay_program {

/// What both commands share: the server, where reports and raw events go, and what is told meanwhile.
class ServeSession {
 public:
  /// Everything that can be refused before a request is made is refused here.
  [[nodiscard]] static assay::Result<std::unique_ptr<ServeSession>> open(const CommandLine& line);
  ~ServeSession();
  ServeSession(const ServeSession&) = delete;
  ServeSession& operator=(const ServeSession&) = delete;

  [[nodiscard]] const assay::ServerAddress& server() const { return server_; }
  [[nodiscard]] const assay::GenerationRequest& request() const { return request_; }
  [[nodiscard]] const std::vector<std::string>& prompts() const { return prompts_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  /// Of --tokenizer; empty: the server's word holds.
  [[nodiscard]] const assay::TokenCounter& counter() const { return counter_; }
  [[nodiscard]] const std::atomic<bool>& stop() const { return interruption_.requested(); }

  /// Of a client that keeps raw events and tells how it goes.
  [[nodiscard]] assay::StreamClientOptions client();
  void take(const assay::RequestRecord& record);
  /// A line for people, above what is shown live.
  void tell(const std::string& text);
  /// Prints the outcomes, writes the reports, and returns the exit code.
  [[nodiscard]] int finish(const std::string& title, std::vector<assay::Outcome> outcomes, std::size_t planned);

 private:
  explicit ServeSession(const CommandLine& line);
  void show_live();
  void erase_live();

  const CommandLine& line_;
  Interruption interruption_;
  assay::ServerAddress server_;
  assay::GenerationRequest request_;
  std::vector<std::string> prompts_;
  std::string key_;
  assay::TokenCounter counter_;
  std::unique_ptr<OutputFolder> output_;
  std::FILE* events_ = nullptr;
  bool events_failed_ = false;
  std::int64_t start_ns_ = 0, shown_ns_ = 0;
  std::size_t ended_ = 0, failed_ = 0;
  std::vector<double> first_tokens_;  ///< of the latest requests, for what is shown live
  std::string last_reason_;
  bool live_ = false, live_shown_ = false;
};

}  // namespace assay_program
