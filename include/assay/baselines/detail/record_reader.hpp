#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/detail/little_endian.hpp"
#include "assay/report/run_reader.hpp"

namespace assay::inline v0::detail {

/// Fills a record. Says what is wrong; members that are unknown are passed over.
[[nodiscard]] std::string read_record(const nlohmann::json& json, std::string_view data, BaselineRecord& record);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/detail/record_reader.ipp"
#endif
