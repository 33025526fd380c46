#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/token_count.hpp"

namespace assay::inline v0 {

/// How text is cut before bytes are paired.
enum class PreTokenizer : std::uint8_t {
  gpt2,              ///< GPT-2's pattern
  gpt2_digits,       ///< each digit by itself first, then GPT-2's pattern: SmolLM2
  cl100k,            ///< that of cl100k_base and Llama 3: numbers in up to three digits
  cl100k_one_digit,  ///< the same with one digit: Qwen 2
  none               ///< not at all
};

/// A byte-level tokenizer of pairs (BPE) as the file tokenizer.json of Hugging Face describes it. It counts the tokens
/// of answers by one common measure, whichever model a server runs.
class BytePairTokenizer {
 public:
  /// Reads the text of a tokenizer.json. Errors: `malformed` with what is missing; `unsupported` with the part that is
  /// not known here (another model than BPE over bytes, another pattern, a normalizer): no count is better than a wrong
  /// one.
  [[nodiscard]] static Result<BytePairTokenizer> from_json(std::string_view text);
  /// Reads the file. Errors: as above, and of reading.
  [[nodiscard]] static Result<BytePairTokenizer> read(const std::filesystem::path& path);

  /// Numbers of the tokens; nothing is added before or behind. Pieces that stand for control are taken as such wherever
  /// they occur in the text. O(text · longest piece).
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text) const;
  /// The bytes of the tokens: `decode(encode(text))` is the text. Misuse: a number that the tokenizer does not have.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> tokens) const;
  /// Tokens of the vocabulary, added ones among them.
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  /// For `count_tokens`. The counter holds a copy.
  [[nodiscard]] TokenCounter counter() const;

 private:
  void encode_piece(std::string_view piece, std::vector<std::uint32_t>& tokens) const;

  PreTokenizer cut_ = PreTokenizer::gpt2;
  bool whole_first_ = false;  ///< a piece that is in the vocabulary is one token, whatever its pairs
  std::unordered_map<std::string, std::uint32_t> vocabulary_;  ///< by bytes
  std::unordered_map<std::uint32_t, std::string> bytes_;       ///< of each token
  std::unordered_map<std::string, std::uint32_t> ranks_;       ///< of pairs: both parts, each behind its length
  std::vector<std::pair<std::string, std::uint32_t>> added_;   ///< longest first
};

/// The pieces of a text by a pattern, in order; together they are the text. What is no UTF-8 is neither letter, number
/// nor blank. O(text).
[[nodiscard]] std::vector<std::string_view> pre_tokenize(std::string_view text, PreTokenizer cut);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/tokenizer_file.ipp"
#endif
