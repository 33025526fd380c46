#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/suite/bytes.hpp"
#include "assay/suite/detail/outcome_codec.hpp"

namespace assay::inline v0::detail {

/// What the processes of a distributed run tell each other.
struct DistributionMessage {
  enum class Kind : std::uint64_t {
    ready,      ///< worker: serves cases; `text` names its host
    alive,      ///< worker: nothing new
    perform,    ///< distributor: the case `text` at `position` of the suite
    started,    ///< worker: begins with it
    finished,   ///< worker: its outcome is `text`
    withdraw,   ///< distributor: cases that have not begun shall not
    withdrawn,  ///< worker: they will not
    no_more     ///< distributor: the run is over
  };
  Kind kind = Kind::alive;
  std::uint64_t position = 0;
  std::string text;
};

[[nodiscard]] inline std::string encode_message(const DistributionMessage& message) {
  ByteWriter writer;
  writer(static_cast<std::uint64_t>(message.kind), message.position, message.text);
  return writer.take();
}

[[nodiscard]] inline Result<DistributionMessage> decode_distribution_message(std::string_view bytes) {
  ByteReader reader(bytes);
  DistributionMessage message;
  std::uint64_t kind = 0;
  reader(kind, message.position, message.text);
  if (!reader.complete() || kind > static_cast<std::uint64_t>(DistributionMessage::Kind::no_more))
    return failure(ErrorKind::malformed,
                   std::to_string(bytes.size()) +
                       " bytes are no message of a distributed run; start the same program in all processes");
  message.kind = static_cast<DistributionMessage::Kind>(kind);
  return message;
}

}  // namespace assay::inline v0::detail
