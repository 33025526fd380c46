#include "assay/telemetry/kernel_log.hpp"

#include <fstream>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

namespace {

std::string kind_of(const std::string& line) {
  const auto event = assay::kernel_log_event(line);
  return event ? event->kind : "";
}

}  // namespace

TEST_CASE("XIDs in the forms that logs have") {
  const char* const lines[] = {
      "NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
      "[111111111.111] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.",
      "<3>[  123.456789] NVRM: Xid (PCI:0000:3b:00.0): 79, pid=1234, name=python, Ch 00000008",
      "4,1234,5140900,-;NVRM: Xid (PCI:0000:3B:00): 79, GPU has fallen off the bus.",
      "Jan 31 12:00:00 node kernel: NVRM: Xid (PCI:00000000:3b:00): 79, GPU has fallen off the bus.",
      "NVRM: Xid (0000:3b:00): 79, GPU has fallen off the bus."};
  for (const char* line : lines) {
    INFO(line);
    const auto event = assay::kernel_log_event(line);
    REQUIRE(event);
    CHECK(event->kind == "xid");
    CHECK(event->code == 79);
    CHECK(event->device == "0000:3b:00.0");
    CHECK(event->action == "reboot");
    CHECK(event->fatal);
  }
  CHECK(assay::kernel_log_event(lines[2])->nanoseconds == 123456789000);
  CHECK(assay::kernel_log_event(lines[3])->nanoseconds == 5140900000);
  const auto gsp = assay::kernel_log_event(
      "NVRM: Xid (PCI:0000:9b:00): 119, pid=1234, name=nvidia-smi, Timeout waiting for RPC from GPU1 GSP! Expected "
      "function 76 (GSP_RM_CONTROL) (0x20801702 0x4).");
  REQUIRE(gsp);
  CHECK(gsp->code == 119);
  CHECK(gsp->action == "reset");
  const auto unknown = assay::kernel_log_event("NVRM: Xid (PCI:0000:9b:00): 999, what is it");
  REQUIRE(unknown);
  CHECK(unknown->action == "unknown");
  CHECK(!unknown->fatal);
}

TEST_CASE("what is told without an XID") {
  // NVSentinel#155: fallen off the bus without a line of an XID.
  CHECK(kind_of("NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.") == "lost");
  CHECK(kind_of("[    9.1] amdgpu 0000:c1:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block") ==
        "ras");
  CHECK(assay::kernel_log_event("amdgpu 0000:c1:00.0: amdgpu: 1 uncorrectable hardware errors detected")->fatal);
  CHECK(!assay::kernel_log_event(
             "amdgpu 0000:c1:00.0: amdgpu: 7 correctable hardware errors detected in total in umc block")
             ->fatal);
  CHECK(kind_of("mce: [Hardware Error]: Machine check events logged") == "machine_check");
  CHECK(kind_of("EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0") == "edac");
  CHECK(assay::kernel_log_event("EDAC MC0: 1 UE memory read error on DIMM_A1")->fatal);
  CHECK(kind_of("pcieport 0000:00:03.1: AER: Corrected error received: 0000:09:00.0") == "aer");
  CHECK(kind_of("nvme 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)") == "aer");
  CHECK(assay::kernel_log_event("nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction")
            ->fatal);
  CHECK(kind_of("CPU3: Core temperature above threshold, cpu clock throttled (total events = 1)") == "thermal");
}

TEST_CASE("what is no event, and what is hostile") {
  for (const char* line : {"", "[", "]", "[ 1.0]", "NVRM: Xid (", "NVRM: Xid (PCI:0000:3b:00)",
                           "NVRM: Xid (PCI:0000:3b:00): ", "NVRM: Xid (PCI:0000:3b:00): 99999999999999999999,",
                           "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.104.05",
                           "usb 1-1: new high-speed USB device", "4,1,18446744073709551615,-;x", ";;;;",
                           "[99999999999999999999.9] x", "EDAC MC: Ver: 3.0.0", "AER: enabled with IRQ 25"})
    CHECK(kind_of(line).empty());
  CHECK(kind_of(std::string(1'000'000, '[')).empty());
  CHECK(assay::kernel_log_event("NVRM: Xid (PCI:0000:3b:00): 31, " + std::string(100'000, 'x'))->text.size() < 5000);
  CHECK(assay::kernel_log_events("NVRM: Xid (PCI:0000:3b:00): 31, a\n\nb\nNVRM: Xid (PCI:0000:3b:00): 13, c").size() ==
        2);
}

TEST_CASE("a log that grows is followed") {
  const assay::testing::TemporaryFolder folder;
  const std::string path = folder.at("kern.log");
  std::ofstream(path) << "NVRM: Xid (PCI:0000:3b:00): 31, before\n";
  assay::KernelLogSource later = assay::KernelLogSource::open({path, false}).value();
  assay::KernelLogSource all = assay::KernelLogSource::open({path, true}).value();
  CHECK(all.poll().front().count == 1);
  CHECK(later.poll().front().count == 0);
  std::ofstream(path, std::ios::app) << "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fal";
  CHECK(later.poll().front().count == 0);
  std::ofstream(path, std::ios::app) << "len off the bus\nnothing\n";
  CHECK(later.poll().front().count == 1);
  const auto events = later.take_events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].code == 79);
  CHECK(events[0].nanoseconds > 0);
  CHECK(later.take_events().empty());
  CHECK(!assay::KernelLogSource::open({folder.at("absent"), false}));
  CHECK(assay::KernelLogSource::open({folder.path, false}).error().kind == assay::ErrorKind::io);
}
