#pragma once

#include <cstdint>
#include <string>

#include "assay/core/result.hpp"
#include "assay/suite/bytes.hpp"
#include "assay/suite/detail/outcome_codec.hpp"
#include "assay/suite/run_options.hpp"

namespace assay::inline v0::detail {

/// All that a worker needs to know to perform a case of its suite.
struct CaseRequest {
  std::string id;
  std::uint64_t run_seed = 0;
  unsigned repetitions = 1;
  std::string reproduce_with;

  [[nodiscard]] RunOptions options() const {
    RunOptions options;
    options.seed = run_seed;
    options.repetitions = repetitions;
    options.reproduce_with = reproduce_with;
    return options;
  }
};

template <class Archive, record_of<CaseRequest> Record>
void exchange(Archive& archive, Record& record) {
  auto& [id, run_seed, repetitions, reproduce_with] = record;
  archive(id, run_seed, repetitions, reproduce_with);
}

[[nodiscard]] inline std::string encode_request(const CaseRequest& request) {
  ByteWriter writer;
  writer(request);
  return writer.take();
}

[[nodiscard]] inline Result<CaseRequest> decode_request(std::string_view bytes) {
  ByteReader reader(bytes);
  CaseRequest request;
  reader(request);
  if (!reader.complete())
    return failure(ErrorKind::malformed, std::to_string(bytes.size()) + " bytes are not a request for a case");
  return request;
}

}  // namespace assay::inline v0::detail
