#pragma once

#include <cfenv>
#include <cstdint>

#include "assay/core/config.hpp"

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ASSAY_FLOATING_POINT_CONTROL_NONE 1
#elif defined(__SSE__) && (defined(__x86_64__) || defined(__i386__))
#define ASSAY_FLOATING_POINT_CONTROL_X86 1
#elif defined(__aarch64__)
#define ASSAY_FLOATING_POINT_CONTROL_AARCH64 1
#endif

namespace assay::inline v0 {

/// The rounding of this thread's floating-point operations.
enum class RoundingDirection { to_nearest, downward, upward, toward_zero };

namespace detail {

/// The control registers of this thread as the machine keeps them: one register of the vector unit, and x86's x87 one.
struct FloatingPointControl {
  std::uint64_t main = 0;
  std::uint16_t x87 = 0;

  friend constexpr bool operator==(const FloatingPointControl&, const FloatingPointControl&) = default;
};

#if defined(ASSAY_FLOATING_POINT_CONTROL_X86)

inline FloatingPointControl read_floating_point_control() noexcept {
  FloatingPointControl control;
  control.main = __builtin_ia32_stmxcsr();
  __asm__ volatile("fnstcw %0" : "=m"(control.x87));
  return control;
}
inline void write_floating_point_control(FloatingPointControl control) noexcept {
  // the memory clobbers keep the compiler from moving loads and stores, and with them the arithmetic, across the change
  __asm__ volatile("" ::: "memory");
  __builtin_ia32_ldmxcsr(static_cast<unsigned>(control.main));
  __asm__ volatile("fldcw %0" : : "m"(control.x87) : "memory");
}

#elif defined(ASSAY_FLOATING_POINT_CONTROL_AARCH64)

inline FloatingPointControl read_floating_point_control() noexcept {
  FloatingPointControl control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control.main));
  return control;
}
inline void write_floating_point_control(FloatingPointControl control) noexcept {
  __asm__ volatile("msr fpcr, %0" : : "r"(control.main) : "memory");
}

#elif !defined(ASSAY_FLOATING_POINT_CONTROL_NONE)

inline FloatingPointControl read_floating_point_control() noexcept {
  FloatingPointControl control;
  control.main = static_cast<std::uint64_t>(std::fegetround());
  return control;
}
inline void write_floating_point_control(FloatingPointControl control) noexcept {
  std::fesetround(static_cast<int>(control.main));
}

#else

inline FloatingPointControl read_floating_point_control() noexcept {
  return {};
}
inline void write_floating_point_control(FloatingPointControl) noexcept {}

#endif

}  // namespace detail

/// This thread's floating-point environment, as far as it changes results. Default-constructed, it is IEEE 754's
/// default.
struct FloatingPointState {
  RoundingDirection rounding = RoundingDirection::to_nearest;
  bool flush_results = false;   ///< subnormal results become zero (x86: FTZ; aarch64: FZ, with the operands)
  bool flush_operands = false;  ///< subnormal operands count as zero (x86: DAZ)
  bool traps = false;           ///< invalid operations, divisions by zero or overflows raise a signal

  /// Whether this machine's flush and trap controls are known to us; if not, only `rounding` is read and set.
  static constexpr bool complete =
#if defined(ASSAY_FLOATING_POINT_CONTROL_X86) || defined(ASSAY_FLOATING_POINT_CONTROL_AARCH64)
      true;
#else
      false;
#endif

  /// The state of the calling thread.
  [[nodiscard]] static FloatingPointState current() noexcept;

  friend constexpr bool operator==(const FloatingPointState&, const FloatingPointState&) = default;
};

namespace detail {

#if defined(ASSAY_FLOATING_POINT_CONTROL_X86)

inline FloatingPointState state_of(FloatingPointControl control) noexcept {
  constexpr RoundingDirection directions[] = {RoundingDirection::to_nearest, RoundingDirection::downward,
                                              RoundingDirection::upward, RoundingDirection::toward_zero};
  FloatingPointState state;
  state.rounding = directions[(control.main >> 13) & 3];
  state.flush_results = (control.main & 0x8000U) != 0;
  state.flush_operands = (control.main & 0x0040U) != 0;
  state.traps = (control.main & 0x1F80U) != 0x1F80U;
  return state;
}
inline FloatingPointControl control_of(const FloatingPointState& state) noexcept {
  const unsigned direction = state.rounding == RoundingDirection::to_nearest ? 0U
                             : state.rounding == RoundingDirection::downward ? 1U
                             : state.rounding == RoundingDirection::upward   ? 2U
                                                                             : 3U;
  FloatingPointControl control;
  control.main = (state.traps ? 0x1900U : 0x1F80U) | direction << 13 | (state.flush_results ? 0x8000U : 0U) |
                 (state.flush_operands ? 0x0040U : 0U);
  control.x87 =
      static_cast<std::uint16_t>((state.traps ? 0x0332U : 0x033FU) | 0x0040U | direction << 10);  // 64-bit significands
  return control;
}

#elif defined(ASSAY_FLOATING_POINT_CONTROL_AARCH64)

inline FloatingPointState state_of(FloatingPointControl control) noexcept {
  constexpr RoundingDirection directions[] = {RoundingDirection::to_nearest, RoundingDirection::upward,
                                              RoundingDirection::downward, RoundingDirection::toward_zero};
  FloatingPointState state;
  state.rounding = directions[(control.main >> 22) & 3];
  state.flush_results = (control.main & (std::uint64_t{1} << 24)) != 0;
  state.flush_operands = state.flush_results || (control.main & 1U) != 0;
  state.traps = (control.main & 0x9F00U) != 0;
  return state;
}
inline FloatingPointControl control_of(const FloatingPointState& state) noexcept {
  const std::uint64_t direction = state.rounding == RoundingDirection::to_nearest ? 0U
                                  : state.rounding == RoundingDirection::upward   ? 1U
                                  : state.rounding == RoundingDirection::downward ? 2U
                                                                                  : 3U;
  FloatingPointControl control;
  control.main = direction << 22 | (state.flush_results || state.flush_operands ? std::uint64_t{1} << 24 : 0U) |
                 (state.traps ? 0x0700U : 0U);
  return control;
}

#else

inline FloatingPointState state_of([[maybe_unused]] FloatingPointControl control) noexcept {
  FloatingPointState state;
#if !defined(ASSAY_FLOATING_POINT_CONTROL_NONE)
  const int direction = static_cast<int>(control.main);
#if defined(FE_DOWNWARD)
  if (direction == FE_DOWNWARD) state.rounding = RoundingDirection::downward;
#endif
#if defined(FE_UPWARD)
  if (direction == FE_UPWARD) state.rounding = RoundingDirection::upward;
#endif
#if defined(FE_TOWARDZERO)
  if (direction == FE_TOWARDZERO) state.rounding = RoundingDirection::toward_zero;
#endif
#endif
  return state;
}
inline FloatingPointControl control_of(const FloatingPointState& state) noexcept {
  FloatingPointControl control;
  int direction = FE_TONEAREST;
#if defined(FE_DOWNWARD)
  if (state.rounding == RoundingDirection::downward) direction = FE_DOWNWARD;
#endif
#if defined(FE_UPWARD)
  if (state.rounding == RoundingDirection::upward) direction = FE_UPWARD;
#endif
#if defined(FE_TOWARDZERO)
  if (state.rounding == RoundingDirection::toward_zero) direction = FE_TOWARDZERO;
#endif
  control.main = static_cast<std::uint64_t>(direction);
  return control;
}

#endif

}  // namespace detail

inline FloatingPointState FloatingPointState::current() noexcept {
  return detail::state_of(detail::read_floating_point_control());
}

/// Puts the calling thread's floating-point environment into a stated condition for the guard's lifetime: by default
/// round to nearest, subnormals kept, no traps. The destructor restores what was there; exception flags raised in
/// between are discarded with it on x86. It costs some tens of cycles, and does nothing in device code.
///
/// The compiler does not know that arithmetic depends on the environment, and moves what it can see across a guard:
/// compute through `with_floating_point_state`, or in functions that it cannot inline.
class FloatingPointGuard {
 public:
  /// Saves the environment of the calling thread and puts it into `state`.
  explicit FloatingPointGuard(const FloatingPointState& state = {}) noexcept
      : saved_(detail::read_floating_point_control()) {
    detail::write_floating_point_control(detail::control_of(state));
  }
  ~FloatingPointGuard() { detail::write_floating_point_control(saved_); }
  FloatingPointGuard(const FloatingPointGuard&) = delete;
  FloatingPointGuard& operator=(const FloatingPointGuard&) = delete;

 private:
  detail::FloatingPointControl saved_;
};

/// Calls `action()` under a guard, as a function that the compiler cannot see through: none of its arithmetic moves
/// out. (Expressions of constants are still folded as if rounded to nearest.)
template <class Action>
void with_floating_point_state(const FloatingPointState& state, const Action& action) {
  void (*volatile call)(const void*) = [](const void* context) { (*static_cast<const Action*>(context))(); };
  const FloatingPointGuard guard(state);
  call(&action);
}

}  // namespace assay::inline v0

#undef ASSAY_FLOATING_POINT_CONTROL_NONE
#undef ASSAY_FLOATING_POINT_CONTROL_X86
#undef ASSAY_FLOATING_POINT_CONTROL_AARCH64
