#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace assay::inline v0 {

/// What can be wrong with cells of a memory, by the literature's classes.
enum class CellFaultKind {
  stuck_at,             ///< SAF: the victim holds `value`
  transition,           ///< TF: the victim does not rise (`rising`), or fall
  no_cell,              ///< AF: the victim's address reaches no cell, and reads `value` in all bits
  other_cell,           ///< AF: the aggressor's address reaches the victim's cell instead of its own
  several_cells,        ///< AF: the aggressor's address reaches its own and the victim's cell; reads are the AND of
                        ///< both, or the OR (`value`)
  coupling_inversion,   ///< CFin: a rise (`rising`) or fall of the aggressor inverts the victim
  coupling_idempotent,  ///< CFid: a rise or fall of the aggressor makes the victim `value`
  coupling_state,       ///< CFst: while the aggressor is 1 (`rising`) or 0, the victim is `value`
  stuck_open,           ///< SOF: the victim cannot be reached; a read repeats what was read before it
  read_destructive,     ///< RDF: a read of `value` flips the victim, and returns what it became
  deceptive_read_destructive,  ///< DRDF: a read of `value` returns it, and flips the victim
  incorrect_read,              ///< IRF: a read of `value` returns the other
  write_disturb,               ///< WDF: writing `value` to a victim that holds it flips it
  retention,                   ///< DRF: in a pause the victim becomes `value`
  intermittent                 ///< a read returns the wrong value now and then
};

/// In the order of `CellFaultKind`.
inline constexpr std::array<CellFaultKind, 15> all_cell_fault_kinds{CellFaultKind::stuck_at,
                                                                    CellFaultKind::transition,
                                                                    CellFaultKind::no_cell,
                                                                    CellFaultKind::other_cell,
                                                                    CellFaultKind::several_cells,
                                                                    CellFaultKind::coupling_inversion,
                                                                    CellFaultKind::coupling_idempotent,
                                                                    CellFaultKind::coupling_state,
                                                                    CellFaultKind::stuck_open,
                                                                    CellFaultKind::read_destructive,
                                                                    CellFaultKind::deceptive_read_destructive,
                                                                    CellFaultKind::incorrect_read,
                                                                    CellFaultKind::write_disturb,
                                                                    CellFaultKind::retention,
                                                                    CellFaultKind::intermittent};

/// The class in tables: "SAF", "AF" (of three kinds), "CFid", …
[[nodiscard]] constexpr std::string_view class_of(CellFaultKind kind) noexcept {
  switch (kind) {
    case CellFaultKind::stuck_at: return "SAF";
    case CellFaultKind::transition: return "TF";
    case CellFaultKind::no_cell:
    case CellFaultKind::other_cell:
    case CellFaultKind::several_cells: return "AF";
    case CellFaultKind::coupling_inversion: return "CFin";
    case CellFaultKind::coupling_idempotent: return "CFid";
    case CellFaultKind::coupling_state: return "CFst";
    case CellFaultKind::stuck_open: return "SOF";
    case CellFaultKind::read_destructive: return "RDF";
    case CellFaultKind::deceptive_read_destructive: return "DRDF";
    case CellFaultKind::incorrect_read: return "IRF";
    case CellFaultKind::write_disturb: return "WDF";
    case CellFaultKind::retention: return "DRF";
    case CellFaultKind::intermittent: return "intermittent";
  }
  return "SAF";
}

/// One fault. Cells are bits, numbered word by word; of the classes AF victim and aggressor are words.
struct CellFault {
  CellFaultKind kind = CellFaultKind::stuck_at;
  std::size_t victim = 0;
  std::size_t aggressor = 0;  ///< of AF (but `no_cell`) and couplings
  bool rising = false;        ///< which transition or state; see `CellFaultKind`
  bool value = false;         ///< which value; see `CellFaultKind`
  double probability = 1;     ///< of an intermittent fault at each read
};

}  // namespace assay::inline v0
