#include "assay/profile/function_profile.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A kernel that computes each element by `result(x)`, a double that is rounded once.
template <class Function>
OperationSubject<Elementwise> kernel_of(Function result) {
  OperationSubject<Elementwise> subject;
  subject.name = "own";
  subject.run = [result](const ElementwiseProblem& problem, const OperandArray& operands) -> Result<void> {
    for (Index i = 0; i < problem.extents[0]; ++i) {
      const Operand& x = operands[Elementwise::x];
      const Operand& y = operands[Elementwise::output];
      y.format.store(y.data, i, result(x.format.load(x.data, i)));
    }
    return {};
  };
  return subject;
}

const ElementFormat f16 = element_format<float16>(), f32 = element_format<float32>(), bf16 = element_format<bfloat16>();

}  // namespace

TEST_CASE("A correctly rounded function errs by half an ulp at most, over all 65536 inputs") {
  Host host(1);
  for (const ElementwiseFunction function :
       {ElementwiseFunction::exp, ElementwiseFunction::rsqrt, ElementwiseFunction::tanh}) {
    const auto kernel = kernel_of([function](double x) {
      return function == ElementwiseFunction::exp    ? std::exp(x)
             : function == ElementwiseFunction::tanh ? std::tanh(x)
                                                     : 1 / std::sqrt(x);
    });
    const auto profile = profile_function(host, kernel, function, f16, f16);
    REQUIRE(profile);
    CHECK(profile.value().exhaustive);
    CHECK(profile.value().tried == 65536);
    CHECK(profile.value().worst_ulps <= 0.5);
    CHECK(profile.value().worst_ulps > 0.49);
    CHECK(profile.value().correctly_rounded == profile.value().judged);
    CHECK(profile.value().wrong_specials == 0);
  }
}

TEST_CASE("The worst input is found, and flushed and swallowed numbers are counted") {
  Host host(1);
  const auto kernel = kernel_of([](double x) {
    if (is_nan(x)) return 0.0;
    if (x == 1.5) return std::exp(x) * (1 + 3 * 0x1p-8);
    const double y = std::exp(x);
    return y < 0x1p-126 ? 0 : y;
  });
  const FunctionProfile profile = profile_function(host, kernel, ElementwiseFunction::exp, bf16, bf16).value();
  CHECK(profile.worst_at == 1.5);
  CHECK(profile.worst_ulps > 1.5);
  CHECK(profile.flushed > 0);
  CHECK(profile.flushed <= profile.subnormal);
  CHECK(profile.wrong_specials == 2 * 127);  // every NaN
  CHECK(is_nan(profile.wrong_special_at));
  CHECK(profile.wrong_special_result == 0);
  const Table table = function_table({profile});
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].size() == table.columns.size());
  CHECK(table.rows[0][2] == "65536, all");
}

TEST_CASE("float32 is swept over all binades with all last bits") {
  Host host(1);
  const auto kernel = kernel_of([](double x) { return static_cast<double>(std::exp(static_cast<float>(x))); });
  FunctionProfileOptions options;
  options.stride = 65537;
  const FunctionProfile profile = profile_function(host, kernel, ElementwiseFunction::exp, f32, f32, options).value();
  CHECK(profile.tried == 65536);
  CHECK(!profile.exhaustive);
  CHECK(profile.worst_ulps < 1);
  CHECK(profile.wrong_specials == 0);
}

TEST_CASE("What changed between two units is told by function, formats and figure") {
  FunctionProfile before{"own", "exp", "f16", "f16"};
  before.tried = before.judged = 65536;
  before.worst_ulps = 0.5;
  FunctionProfile after = before, other = before;
  after.unit = "another";
  CHECK(compare_function_profiles({before}, {after}).rows.empty());
  after.worst_ulps = 1.25;
  other.function = "tanh";
  const Table changed = compare_function_profiles({before, other}, {after});
  REQUIRE(changed.rows.size() == 2);
  CHECK(changed.rows[0] == std::vector<std::string>{"exp, f16 → f16, 65536 inputs", "worst ulp", "0.5", "1.25"});
  CHECK(changed.rows[1] == std::vector<std::string>{"tanh, f16 → f16, 65536 inputs", "profile", "there", "missing"});
  CHECK(compare_function_profiles({before}, {before, other}).rows.at(0).at(3) == "there");
  after = before;
  after.judged = before.judged = 4'200'000;
  before.correctly_rounded = 4'100'000;
  after.correctly_rounded = 4'100'001;
  CHECK(compare_function_profiles({before}, {after}).rows.at(0).at(1) == "correctly rounded");
}

TEST_CASE("Functions of two operands have no such profile, and errors are passed on") {
  Host host(1);
  OperationSubject<Elementwise> kernel = kernel_of([](double x) { return x; });
  CHECK_THROWS_WITH(profile_function(host, kernel, ElementwiseFunction::add, f32, f32),
                    "a profile of add from f32 to f32 was asked for; give a function of one operand, and "
                    "floating-point formats up to float32");
  const ElementFormat f64 = element_format<float64>();
  CHECK_THROWS_WITH(profile_function(host, kernel, ElementwiseFunction::exp, f64, f32),
                    "a profile of exp from f64 to f32 was asked for; give a function of one operand, and "
                    "floating-point formats up to float32");
  kernel.run = [](const auto&, const auto&) -> Result<void> { return failure(ErrorKind::unsupported, "not here"); };
  const auto refused = profile_function(host, kernel, ElementwiseFunction::exp, f16, f16);
  REQUIRE(!refused);
  CHECK(refused.error().message == "not here");
}
