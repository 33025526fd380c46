#include "assay/validators/relations/attention_relations.hpp"
#include "assay/validators/relations/check_relation.hpp"
#include "assay/validators/relations/convolution_relations.hpp"
#include "assay/validators/relations/normalization_relations.hpp"
#include "assay/validators/relations/softmax_relations.hpp"
#include "suites/operation_families.hpp"
#include "suites/plugins.hpp"
#if defined(ASSAY_HAS_ONEDNN)
#include "assay/adapters/onednn/convolution.hpp"
#include "assay/adapters/onednn/normalization.hpp"
#include "assay/adapters/onednn/softmax.hpp"
#endif
#if defined(ASSAY_HAS_EIGEN)
#include "assay/adapters/eigen/convolution.hpp"
#endif

namespace assay_program {

namespace {

template <class... Ops, class MakeSubject>
void add_relations(assay::Suite& suite, MakeSubject subject) {
  (assay::add_relation_cases<Ops>(suite, host_worker(), subject.template operator()<Ops>()), ...);
}

}  // namespace

void add_operation_relations(assay::Suite& suite, std::string_view backend) {
  using namespace assay;
  if (const auto plugin = plugin_named(backend)) {
    assay::Suite own;
    add_relations<Attention, Convolution, Normalization, Softmax>(
        own, [&]<class Op>() { return plugin_operation_subject<Op>(*plugin); });
    for (assay::Case& entry : own)
      if (plugin->plugin().has(entry.labels.at("operation"))) suite.push_back(std::move(entry));
  }
  if (backend == "host")
    add_relations<Attention, Convolution, Normalization, Softmax>(
        suite, []<class Op>() { return portable_operation_subject<Op>(host_worker()); });
#if defined(ASSAY_HAS_ONEDNN)
  if (backend == "onednn")
    add_relations<Convolution, Normalization, Softmax>(suite,
                                                       []<class Op>() { return operation_subject<Op>(OneDnn(1)); });
#endif
#if defined(ASSAY_HAS_EIGEN)
  if (backend == "eigen")
    add_relations<Convolution>(suite, []<class Op>() { return operation_subject<Op>(EigenLibrary(1)); });
#endif
}

}  // namespace assay_program
