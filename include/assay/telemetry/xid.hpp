#pragma once

#include <array>
#include <string_view>

namespace assay::inline v0 {

/// What NVIDIA's driver asks for after an XID, an error that it wrote to the kernel's log.
enum class XidAction {
  none,                 ///< information
  restart_application,  ///< the program failed, not the GPU
  workflow,             ///< look into it: NVIDIA's guide has a procedure for this code
  reset,                ///< reset the GPU
  reboot,               ///< restart the node
  unknown               ///< the code is not in the catalogue
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(XidAction action) noexcept {
  switch (action) {
    case XidAction::none: return "none";
    case XidAction::restart_application: return "restart application";
    case XidAction::workflow: return "workflow";
    case XidAction::reset: return "reset";
    case XidAction::reboot: return "reboot";
    case XidAction::unknown: return "unknown";
  }
  return "unknown";
}

namespace detail {

struct XidFacts {
  int code;
  XidAction action;
  std::string_view text;
};

/// The classes are those of gpud's catalogue; texts after NVIDIA's list of XIDs, empty where we know none.
inline constexpr std::array<XidFacts, 35> xid_facts{{
    {13, XidAction::restart_application, "graphics engine exception"},
    {31, XidAction::restart_application, "memory page fault"},
    {32, XidAction::restart_application, "invalid or corrupted push buffer"},
    {43, XidAction::none, "GPU stopped processing"},
    {46, XidAction::reset, "GPU stopped processing, timeout"},
    {48, XidAction::workflow, "double-bit ECC error"},
    {62, XidAction::reset, "internal micro-controller halt"},
    {63, XidAction::none, "row remapping or page retirement recorded"},
    {64, XidAction::reset, "row remapping or page retirement failed"},
    {69, XidAction::restart_application, "graphics engine class error"},
    {74, XidAction::workflow, "NVLink error"},
    {79, XidAction::reboot, "GPU has fallen off the bus"},
    {92, XidAction::none, "high rate of single-bit ECC errors"},
    {94, XidAction::restart_application, "contained memory error"},
    {95, XidAction::reset, "uncontained memory error"},
    {109, XidAction::reset, "context switch timeout"},
    {110, XidAction::reset, "security fault"},
    {119, XidAction::reset, "GSP RPC timeout"},
    {120, XidAction::reset, "GSP error"},
    {136, XidAction::reset, "link training failed"},
    {140, XidAction::reset, "unrecovered ECC error"},
    {143, XidAction::reset, ""},
    {144, XidAction::workflow, "NVLink: SAW error"},
    {145, XidAction::workflow, "NVLink: RLW error"},
    {146, XidAction::workflow, "NVLink: TLW error"},
    {147, XidAction::workflow, "NVLink: TREX error"},
    {148, XidAction::workflow, "NVLink: NVLPW_CTRL error"},
    {149, XidAction::workflow, "NVLink: NETIR error"},
    {150, XidAction::workflow, "NVLink: MSE error"},
    {154, XidAction::workflow, "recovery action changed"},
    {155, XidAction::reset, ""},
    {156, XidAction::reset, ""},
    {158, XidAction::reset, ""},
    {45, XidAction::none, "channels were torn down, after another error or by hand"},
    {68, XidAction::workflow, "video processor exception"},
}};

}  // namespace detail

/// What the code asks for; `unknown` where the catalogue does not have it.
[[nodiscard]] constexpr XidAction xid_action(int code) noexcept {
  for (const detail::XidFacts& facts : detail::xid_facts)
    if (facts.code == code) return facts.action;
  return XidAction::unknown;
}

/// What the code means, in a few words; empty where that is not known.
[[nodiscard]] constexpr std::string_view xid_text(int code) noexcept {
  for (const detail::XidFacts& facts : detail::xid_facts)
    if (facts.code == code) return facts.text;
  return {};
}

/// Whether the GPU is not to be given work before something was done.
[[nodiscard]] constexpr bool is_fatal(XidAction action) noexcept {
  return action == XidAction::reset || action == XidAction::reboot || action == XidAction::workflow;
}

}  // namespace assay::inline v0
