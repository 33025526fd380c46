#pragma once

namespace assay::inline v0 {

/// A label of an outcome by which a case says that its process must run no other, as when a device is lost to it.
/// `run_isolated` lets the worker that sends it end, and other workers go on; elsewhere it is for people to read. Its
/// value tells why.
inline constexpr const char* spent_process_label = "spent_process";

}  // namespace assay::inline v0
