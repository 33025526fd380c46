#pragma once

namespace assay::inline v0::detail {

/// What the dashboard adds to the style sheet of the HTML report.
inline constexpr const char* dashboard_style = R"css(
.reason{font-size:1.05rem;margin:-.5rem 0 1.2rem}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1.6rem;border-top:1px solid var(--ink);border-bottom:1px solid var(--rule);padding:.5rem 0}
nav a{color:inherit;text-decoration:none}nav a:hover{text-decoration:underline}nav small{color:var(--soft);font-variant-numeric:tabular-nums}
section>h2{margin-top:2.6rem}
.name{font-weight:600}.gate .badge{color:var(--soft)}.where,.finding{grid-column:2/-1;color:var(--soft);font-size:.9rem}.where b{color:var(--ink)}.finding{color:var(--ink)}.finding::before{content:"→ ";color:var(--soft)}[open]>summary .finding{display:none}
.gate.case>summary{grid-template-columns:1.1rem minmax(0,1fr)}
.row.combination{grid-template-columns:1.5rem minmax(0,1fr)}
table.matrix{font-size:.82rem;border-collapse:separate;border-spacing:2px}.matrix th,.matrix td{padding:0;vertical-align:middle}
.matrix th{font-weight:500;white-space:nowrap;text-align:left;padding:.1rem .6rem .1rem 0}.matrix thead th{border:0;text-align:center;padding:.1rem .3rem}.matrix thead th.axis{text-align:left;vertical-align:bottom;color:var(--soft)}
.matrix small{color:var(--soft);font-weight:400}.matrix tbody th{vertical-align:top;line-height:1.7rem}
.matrix td{width:2rem;min-width:1.7rem;height:1.7rem;text-align:center;border-radius:3px}.matrix td a{display:block;line-height:1.7rem;color:inherit;text-decoration:none;border-radius:3px}
.matrix td a:hover{outline:2px solid var(--ink)}.matrix thead th.edge{border-left:1px solid var(--rule)}.matrix td.edge{border-left:2px solid transparent;background-clip:padding-box}
.matrix tr.edge>*{border-top:4px solid transparent;background-clip:padding-box}
.certified{background:color-mix(in srgb,var(--pass) 26%,var(--paper));color:var(--pass)}.failed{background:var(--fail);color:var(--paper);font-weight:700}
.conflict{background:repeating-linear-gradient(135deg,var(--fail) 0 5px,var(--warn) 5px 10px);color:var(--paper)}.undecided{background:color-mix(in srgb,var(--warn) 30%,var(--paper));color:var(--warn);font-weight:700}
.hole{box-shadow:inset 0 0 0 1.5px var(--warn);color:var(--warn)}.excluded{background:repeating-linear-gradient(135deg,var(--panel) 0 3px,transparent 3px 6px)}
.matrix-legend{gap:.2rem .1rem}.matrix-legend i{width:1.4rem;height:1.3rem;line-height:1.3rem;text-align:center;font-style:normal;border-radius:3px;margin:0!important}.matrix-legend span{margin:0 1rem 0 .4rem}
.cell{display:inline-block;width:1.4rem;line-height:1.4rem;border-radius:3px;text-align:center}
.row.combination:target{background:var(--panel)}
.metric.case>summary,.row.metric{grid-template-columns:minmax(0,1fr) 5rem 7rem 6.5rem;align-items:center}.spark{width:5rem;height:1.25rem}.change-note{text-align:right;font-size:.88rem;font-variant-numeric:tabular-nums}.change-note:not(.fail):not(.pass){color:var(--soft)}
.change-note.fail{font-weight:650}.metric .body{padding-left:0}
svg.trend{width:100%;max-width:46rem}.whisker{stroke:var(--link);stroke-width:1;opacity:.45;fill:none}.level{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:6 3;fill:none}.change path{fill:none;stroke-width:1.4}.change text{font-weight:600}
.trend .line{opacity:.5}.worse path{stroke:var(--fail)}svg .worse text{fill:var(--fail)}.better path{stroke:var(--pass)}svg .better text{fill:var(--pass)}
#trend-search{display:none;max-width:26rem}.js #trend-search{display:flex}
.js .scriptless{display:none}
.panes{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}.panes.chosen{grid-template-columns:minmax(0,1fr) minmax(18rem,26rem)}
#rows{position:relative;height:min(34rem,70vh);overflow-y:auto;border-top:1px solid var(--ink);border-bottom:1px solid var(--rule);overscroll-behavior:contain}
#rows .sheet{position:relative}.outcome{position:absolute;left:0;right:0;height:2.1rem;display:grid;grid-template-columns:1.2rem minmax(0,3fr) minmax(0,2fr) 5rem 5rem;gap:0 .6rem;align-items:center;border-bottom:1px solid var(--rule);cursor:pointer;padding-right:.4rem;contain:strict}
.outcome>*{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.outcome .in{color:var(--soft);font-size:.85rem}.outcome b{text-align:center}.outcome[aria-selected=true]{background:var(--panel)}.outcome:hover .id{text-decoration:underline}
.panes.chosen .outcome{grid-template-columns:1.2rem minmax(0,3fr) minmax(0,1fr) 4rem}.panes.chosen .outcome .time{display:none}
#detail{max-height:min(34rem,70vh);overflow-y:auto;font-size:.93rem;min-width:0}#detail h3{overflow-wrap:anywhere;font-family:var(--mono);font-size:.85rem}#detail .close{float:right}
.pick{border-radius:2rem;padding:.25rem .8rem}.pick b{font-variant-numeric:tabular-nums}.pick[aria-pressed=true]{background:currentColor;border-color:currentColor}.pick[aria-pressed=true]>*,.pick[aria-pressed=true]{-webkit-text-fill-color:var(--paper)}
@media(max-width:46rem){.panes.chosen{grid-template-columns:minmax(0,1fr)}#detail{order:-1}
.outcome,.panes.chosen .outcome{height:3.6rem;grid-template-columns:1.2rem minmax(0,1fr) auto;grid-template-rows:auto auto;align-content:center}.outcome .in{grid-column:2/-1;grid-row:2}.outcome .time{display:none}.outcome .ratio{grid-column:3;grid-row:1}.outcome .ratio:not(:empty)::before{content:none}
.metric.case>summary,.row.metric{grid-template-columns:minmax(0,1fr) 6.5rem 5.5rem}.metric .spark,.row.metric>span:empty{display:none}.metric .who{grid-column:1/-1}.metric .time{grid-column:3}.metric .change-note{grid-column:1/3;text-align:left}
.matrix th{padding-right:.35rem}svg.trend text{font-size:17px}}
@media print{#explorer,#trend-search,nav{display:none!important}}
)css";

}  // namespace assay::inline v0::detail
