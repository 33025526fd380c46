#include "suites/doors.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "assay/frameworks/door/door_subject.hpp"
#include "assay/frameworks/door/mode_agreement.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"
#include "assay/frameworks/openvino/find_openvino.hpp"
#include "assay/frameworks/pjrt/find_pjrt.hpp"
#include "assay/frameworks/tensorflow/find_tensorflow.hpp"
#include "assay/frameworks/torch/find_torch.hpp"
#include "assay/kernels.hpp"
#include "assay/validators/operation_suite.hpp"
#include "suites/operation_families.hpp"
#include "suites/products.hpp"

namespace assay_program {

namespace {

std::map<std::string, assay::Door, std::less<>>& doors() {
  static std::map<std::string, assay::Door, std::less<>> all;
  return all;
}

/// Of the case that this thread runs.
assay::DoorRecord& own_record() {
  thread_local assay::DoorRecord record;
  return record;
}

/// A kernel that draws the data of its case without the backend.
class KernelOfAnyBackend : public assay::RecordedKernel {
 public:
  KernelOfAnyBackend(std::shared_ptr<const assay::RecordedKernel> own, std::string id, std::string backend)
      : own_(std::move(own)), id_(std::move(id)), backend_(std::move(backend)) {}

  assay::CaseRecord record(std::uint64_t seed) const override {
    return own_->record(assay::seed_of_any_backend(seed, id_, backend_));
  }
  assay::Outcome run(const assay::CaseRecord& record) const override { return own_->run(record); }
  assay::Result<assay::CaseRecord> with_values(assay::CaseRecord record) const override {
    return own_->with_values(std::move(record));
  }
  std::vector<assay::RecordedField> simplest() const override { return own_->simplest(); }

 private:
  std::shared_ptr<const assay::RecordedKernel> own_;
  std::string id_, backend_;
};

/// Has cases from that position on draw the same data whatever their backend, and tell the digest of what their first
/// launch gave, and which nodes of it were computed in a narrower format than the graph's.
void note_launches(assay::Suite& suite, std::size_t first, const assay::Door& door) {
  for (std::size_t i = first; i < suite.size(); ++i) {
    assay::Case& entry = suite[i];
    const auto reseeded = [id = entry.id, name = door.name](assay::CaseContext context) {
      context.seed = assay::seed_of_any_backend(context.seed, id, name);
      return context;
    };
    if (entry.kernel) entry.kernel = std::make_shared<KernelOfAnyBackend>(entry.kernel, entry.id, door.name);
    if (entry.explain)
      entry.explain = [explain = std::move(entry.explain), reseeded](const assay::CaseContext& context) {
        return explain(reseeded(context));
      };
    entry.run = [run = std::move(entry.run), name = door.name, reseeded](const assay::CaseContext& context) {
      own_record().clear();
      const assay::CaseContext own = reseeded(context);
      assay::Outcome outcome = run(own);
      outcome.seed = own.seed;
      const assay::DoorRecord& record = own_record();
      if (!record.digest.empty()) outcome.labels[assay::outputs_label] = record.digest;
      if (record.lowered.empty()) return outcome;
      outcome.labels[assay::lowered_label] = record.lowered;
      if (outcome.verdict == assay::Verdict::fail)
        outcome.diagnosis.insert(outcome.diagnosis.begin(), name + " computed " + record.lowered);
      return outcome;
    };
  }
}

void add_gemm(assay::Suite& suite, const assay::Door& door, const SuiteOptions& options) {
  const std::size_t first = suite.size();
  UsualProducts::visit(
      [&]<class Op>() { add_host_gemm_cases<Op>(suite, assay::door_gemm_subject<Op>(door), options); });
  note_launches(suite, first, door);
}

std::string version_of(const assay::Door& door) {
  if (!door.worker) return door.absent;
  const auto described = door.worker->describe();
  return described ? described.value().version : described.error().message;
}

template <class... Ops>
void add_all(assay::Suite& suite, const assay::Door& door, const assay::OperationSuiteOptions& options) {
  const auto add = [&]<class Op>() {
    const std::size_t first = suite.size();
    assay::add_operation_cases<Op>(suite, host_worker(), assay::door_subject<Op>(door), options);
    for (std::size_t i = first; i < suite.size(); ++i) suite[i].labels.try_emplace("family", Op::name());
    note_launches(suite, first, door);
  };
  (add.template operator()<Ops>(), ...);
}

}  // namespace

const std::vector<ForeignRuntimeRow>& foreign_runtimes() {
  using assay::ForeignRuntime;
  static const std::vector<ForeignRuntimeRow> all{
      {ForeignRuntime::onnx_runtime, "ort", "ONNX Runtime, as backends ort.cpu.level0 … level99", "serve",
       assay::find_onnx_runtime},
      {ForeignRuntime::pjrt, "xla", "a plugin of PJRT, as backends xla, xla.no-excess", "serve-pjrt", assay::find_pjrt},
      {ForeignRuntime::openvino, "openvino", "OpenVINO, as backends openvino, openvino.accurate", "serve-openvino",
       assay::find_openvino},
      {ForeignRuntime::torch, "torch", "PyTorch, as backend torch.cpu", "serve-torch", assay::find_torch},
      {ForeignRuntime::tensorflow, "tensorflow", "TensorFlow, as backend tensorflow.cpu", "serve-tensorflow",
       assay::find_tensorflow}};
  return all;
}

bool is_door(std::string_view backend) {
  const std::string_view first = backend.substr(0, backend.find('.'));
  const auto& all = foreign_runtimes();
  return std::any_of(all.begin(), all.end(), [&](const ForeignRuntimeRow& row) { return first == row.name; });
}

assay::Result<std::shared_ptr<assay::DoorWorker>> foreign_worker(assay::ForeignRuntime runtime, double seconds,
                                                                 const std::string& library) {
  const auto& all = foreign_runtimes();
  const auto row =
      std::find_if(all.begin(), all.end(), [&](const ForeignRuntimeRow& own) { return own.runtime == runtime; });
  assay::Result<std::string> path = library;
  if (library.empty()) path = row->find();
  if (!path) return path.propagate();
  return std::make_shared<assay::DoorWorker>(
      std::vector<std::string>{"/proc/self/exe", "frameworks", row->serving, "--library", path.value(), "--no-config"},
      seconds);
}

assay::Result<void> load_doors(const std::vector<std::string>& backends) {
  for (const std::string& name : backends) {
    const bool known = std::any_of(libraries().begin(), libraries().end(),
                                   [&](const Library& library) { return library.name == name; });
    if (!is_door(name) || known) continue;
    const auto mode = assay::read_mode_name(name);
    if (!mode) return mode.propagate();
    assay::Door door{
        name, mode.value(), nullptr, {}, [](const auto& graph, const auto& run) { own_record().note(graph, run); }};
    const auto worker = foreign_worker(mode.value().runtime, 60);
    if (worker)
      door.worker = worker.value();
    else
      door.absent = worker.error().message;
    doors().emplace(name, door);
    for (const ForeignRuntimeRow& row : foreign_runtimes())
      if (row.runtime == mode.value().runtime) {
        Library library{name, std::string(row.title) + ", in a process of its own", ""};
        library.compiled_in = true;
        library.version = [door] { return version_of(door); };
        library.add_cases = [door](assay::Suite& suite, const SuiteOptions& options) {
          add_gemm(suite, door, options);
        };
        add_library(std::move(library));
      }
  }
  return {};
}

void add_door_family(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  using namespace assay;
  const auto found = doors().find(backend);
  if (found == doors().end()) return;
  add_all<Attention, Convolution, CrossEntropy, Elementwise, Gather, L2Normalize, Linear, Normalization, Pooling,
          Rearrangement, Reduction, Resize, RotaryEmbedding, Softmax, Sort>(suite, found->second, options);
}

}  // namespace assay_program
