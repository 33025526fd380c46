#pragma once

namespace assay::inline v0::detail {

/// The style sheet of the HTML report: black on paper (or paper on black), rules as in a printed table, color only
/// where it says something and never alone. System fonts only: the page loads nothing.
inline constexpr const char* page_style = R"css(
:root{color-scheme:light dark;--paper:#fdfcf9;--ink:#1d1c1a;--soft:#645f57;--rule:#ddd8cd;--panel:#f5f2ea;--link:#1f4e79;
--pass:#2e7048;--fail:#b3261e;--warn:#8a5a00;--idle:#78746b;--quick:#39708a;
--h0:#f1eee6;--h1:#dedad0;--h2:#c6c1b6;--h3:#aaa599;--h4:#f6bd60;--h5:#ee8434;--h6:#d1461f;--h7:#981b1e;--h8:#4d0b13;--hx:#5b3fa8;--mark:#1d1c1a;
--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media screen and (prefers-color-scheme:dark){:root{--paper:#171715;--ink:#e9e5db;--soft:#a8a397;--rule:#3a3833;--panel:#21201d;--link:#8fbbe8;
--pass:#7cc596;--fail:#f2857b;--warn:#e3b25c;--idle:#98948a;--quick:#8cc4dc;
--h0:#262521;--h1:#35332e;--h2:#47443e;--h3:#5c5951;--h4:#8f3a22;--h5:#c9501f;--h6:#ee8434;--h7:#f9bf62;--h8:#fff1c4;--hx:#a48be8;--mark:#fff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;padding:2.6rem 1.75rem 5rem;max-width:76rem;background:var(--paper);color:var(--ink);font:1rem/1.5 var(--sans);overflow-wrap:break-word}
h1{font-size:1rem;font-weight:600;margin:0;color:var(--soft);overflow-wrap:anywhere}
h2{font-size:1.3rem;line-height:1.3;font-weight:650;margin:2.6rem 0 .7rem;display:flex;gap:.45em;align-items:baseline}
h2 small{font-size:.9rem;font-weight:400;color:var(--soft);font-variant-numeric:tabular-nums}
h3{font-size:.92rem;font-weight:650;margin:1.5rem 0 .4rem}
p{margin:.4rem 0}a{color:var(--link)}
pre,.id,.formats,.derivation{font-family:var(--mono);font-size:.82rem;unicode-bidi:isolate}
p,summary,.first,.first th,.id,.facts li,td.value,.why,.findings li,.derivation li{overflow-wrap:anywhere}
.id{font-size:.85rem}
pre{margin:.3rem 0;padding:.55rem .75rem;background:var(--panel);border-radius:5px;white-space:pre-wrap;overflow-wrap:anywhere}
pre.output{max-height:24rem;overflow:auto;border-left:3px solid var(--rule);border-radius:0 5px 5px 0}
.sr,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.note{color:var(--soft);font-size:.85rem;margin:.3rem 0}
.pass{color:var(--pass)}.fail,.error,.over{color:var(--fail)}.inconclusive,.new_baseline{color:var(--warn)}.unsupported,.skipped{color:var(--idle)}.quick{color:var(--quick)}
.verdict{font-size:1.95rem;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:.15rem 0 1.1rem}
.bar{display:flex;height:.75rem;gap:2px;margin:.9rem 0 .65rem;border-radius:3px;overflow:hidden}.bar span{min-width:4px;background:currentColor}
.bar .quick{background:repeating-linear-gradient(135deg,currentColor 0 4px,transparent 4px 7px)}
.bar .unsupported,.bar .skipped{opacity:.4}
.totals{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:0 0 1.2rem;padding:0}
.totals a{color:inherit;text-decoration:none}.totals a:hover{text-decoration:underline}.totals b{font-variant-numeric:tabular-nums}
.alert{border-left:3px solid var(--warn);padding:.45rem .9rem;margin:.8rem 0;background:var(--panel);border-radius:0 5px 5px 0}
.facts{display:flex;flex-wrap:wrap;gap:.7rem 2.2rem;margin:1.2rem 0 .8rem;list-style:none;padding:0;font-variant-numeric:tabular-nums}.facts li{min-width:0}.facts .wide{flex:1 0 100%}
.facts .key{display:block;color:var(--soft);font-size:.8rem}
.command{display:flex;gap:.5rem;align-items:stretch}.command pre{flex:1;min-width:0;margin:.15rem 0}.command .copy{margin:.15rem 0}
.copy{display:none}.js .copy{display:block}
button,select,input{font:inherit;font-size:.9rem;color:inherit;background:var(--paper);border:1px solid var(--rule);border-radius:5px;padding:.35rem .65rem}
button{cursor:pointer}button:hover,select:hover,input:hover{border-color:var(--soft)}
.scroll{overflow-x:auto;margin:.3rem 0 .6rem;max-width:100%}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums lining-nums}
thead th{font-weight:500;color:var(--soft);text-align:left;border-bottom:1px solid var(--ink);vertical-align:bottom;line-height:1.25}
tbody th{font-weight:400;text-align:left}
th,td{padding:.3rem 1.15rem .3rem 0;vertical-align:top}th:last-child,td:last-child{padding-right:0}
th.n,.n{text-align:right}td.n,.k{white-space:nowrap}
.data{border-bottom:1px solid var(--rule)}.data td{font-family:var(--mono);font-size:.8rem}.data thead th{white-space:nowrap}
.environment{font-size:.92rem}.environment th,.measurements th{color:var(--soft);white-space:nowrap;font-weight:400}
.measurements td.n{padding-right:.35rem}.measurements th,.measurements td{padding-top:.14rem;padding-bottom:.14rem}.unit{color:var(--soft)}
.overview{width:100%;border-bottom:1px solid var(--rule)}.overview tbody tr+tr>*{border-top:1px solid var(--rule)}.overview tbody th{font-weight:600}
.overview .total>*{border-top:1px solid var(--ink)!important}.overview td,.overview tbody th{vertical-align:middle}.overview .formats{white-space:nowrap}
.overview td a{color:inherit;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:.2em}.overview td.fail,.overview td.error{font-weight:700}
.counts{border-collapse:separate;border-spacing:0;border-bottom:1px solid var(--rule)}.counts tbody tr+tr>*{border-top:1px solid var(--rule)}.counts td{white-space:nowrap}.counts tbody th{position:sticky;left:0;background:var(--paper)}
.counts a{text-decoration:none;margin-right:.5rem}.counts a:hover{text-decoration:underline}.counts .fail,.counts .error{font-weight:700}
.first{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 3rem;align-items:start}.first>div{min-width:0}.first h2{margin-top:1.6rem}.first .counts td,.first .counts th{padding-top:.12rem;padding-bottom:.12rem}
.zero{color:var(--idle);opacity:.55}.spread{width:13rem;min-width:10rem}
.strip{display:block;width:100%;height:1.65rem}.strip .base,.strip .one,.series .one{fill:none;vector-effect:non-scaling-stroke}.strip .base{stroke:var(--rule)}
.one{stroke:var(--ink);stroke-width:1.5}.below{fill:var(--idle)}.above{fill:var(--fail)}
.strip-axis{display:block;position:relative;height:1.1rem;font-size:.72rem;font-weight:400;color:var(--soft)}.strip-axis span{position:absolute;transform:translateX(-50%)}
td .strip-axis{display:none}
details>summary{cursor:pointer}
.skip:focus{position:absolute;left:1rem;top:.5rem;background:var(--panel);padding:.4rem .8rem}
#cases{outline:0}#filters{display:none;margin:2rem 0 0;padding:1rem 0 .2rem;border-top:1px solid var(--ink)}.js #filters{display:block}
.fields{display:flex;flex-wrap:wrap;gap:.6rem .8rem;margin:.7rem 0}.field{display:flex;flex-direction:column;gap:.15rem;min-width:0}.field label{font-size:.78rem;color:var(--soft)}
.field select{max-width:15rem}.wide input{width:100%;font-size:1rem;padding:.5rem .7rem}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;margin:.7rem 0}.chip{border-radius:2rem;padding:.25rem .8rem}.chip b{font-variant-numeric:tabular-nums}
.chip[aria-pressed=true]{background:currentColor;border-color:currentColor}.chip[aria-pressed=true]>*,.chip[aria-pressed=true]{-webkit-text-fill-color:var(--paper)}
.matches{display:flex;gap:.8rem;align-items:center;min-height:2.1rem;color:var(--soft);font-size:.9rem;font-variant-numeric:tabular-nums}
section{margin-bottom:1.5rem}section>h2{margin:1.5rem 0 .3rem}
.case,.row{content-visibility:auto;contain-intrinsic-size:auto 2.2rem;border-top:1px solid var(--rule)}
.group>.case,.group>.row{margin-left:1.15rem}
.case>summary,.row,.columns{display:grid;grid-template-columns:1.1rem minmax(0,1fr) 6.5rem 5.5rem;gap:0 .5rem;align-items:baseline;padding:.38rem 0}
.case>summary{list-style:none}.case>summary::-webkit-details-marker{display:none}.case>summary:hover .id{text-decoration:underline;text-underline-offset:.2em}
.case>summary>b,.row>b{text-align:center}
.columns{color:var(--soft);font-size:.78rem;margin:0;padding:0 0 .2rem}.columns span:first-child{grid-column:3;text-align:right}.columns span,.ratio,.time{text-align:right}
.ratio,.time{font-size:.88rem;font-variant-numeric:tabular-nums}.time{color:var(--soft)}.ratio.over{font-weight:650}
.why{display:block;white-space:pre-line;margin-top:.05rem;font-size:.93rem}.case[open] .why{font-size:1rem}
.badge{display:inline-block;font-size:.72rem;line-height:1.35;padding:0 .45rem;border:1px solid currentColor;border-radius:2rem;white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis;vertical-align:-.12em}
.badge.quick{border-style:dashed}
.case[open]{content-visibility:visible;padding-bottom:1.6rem}.body{padding-left:1.6rem}.body>h3:first-child{margin-top:.7rem}
.group{border-top:1px solid var(--rule);content-visibility:auto;contain-intrinsic-size:auto 2.2rem}.group>summary{padding:.38rem 0;overflow-wrap:anywhere}
.group>summary small{color:var(--soft);margin-left:.3rem;font-variant-numeric:tabular-nums}.group[open]{padding-bottom:.8rem;content-visibility:visible}.sorted>.group{display:none}
.first>*{min-width:0;overflow-x:auto}
.findings{margin:.2rem 0;padding-left:1.1rem}.findings li{margin:.2rem 0}
.derivation{margin:.2rem 0;padding:0;list-style:none;max-width:62rem}
.derivation li{display:grid;grid-template-columns:fit-content(14rem) minmax(0,1fr);grid-template-columns:11rem minmax(0,1fr);gap:.1rem 1rem;padding:.35rem 0;border-top:1px solid var(--rule)}.derivation li:first-child{border-top:0}
.derivation .name{color:var(--soft);text-align:right}.derivation .whole{grid-column:2}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:1rem 2.5rem;align-items:start}
.chart{margin:.2rem 0 .6rem;min-width:0}figcaption{margin-bottom:.5rem;font-size:.92rem;color:var(--soft)}
svg{display:block;max-width:100%}
.heat-plot{display:grid;grid-template-columns:auto var(--c) minmax(0,var(--w));justify-content:start;font-size:.75rem;color:var(--soft);font-variant-numeric:tabular-nums}
.heat-title{grid-column:3;padding-bottom:.1rem}.heat-columns{grid-column:3;position:relative;height:1.2rem}.heat-columns span{position:absolute;padding-left:.2rem;border-left:1px solid var(--soft);line-height:1}
.heat-side{grid-column:1;writing-mode:vertical-rl;transform:rotate(180deg);text-align:right}.heat-rows{position:relative}
.heat-rows span{position:absolute;right:0;padding-right:.3rem;border-top:1px solid var(--soft);line-height:1.2}
svg.heat{width:100%;aspect-ratio:var(--r);border:1px solid var(--soft);shape-rendering:crispEdges;touch-action:pan-y;cursor:crosshair}
.cross,.peak,.cursor{fill:none;vector-effect:non-scaling-stroke}.cross{stroke:var(--paper)}.peak{stroke:var(--mark);stroke-width:2;stroke-dasharray:3 2}.cursor{stroke:var(--link);stroke-width:2.5}
.readout{display:none;min-height:1.5em;font-size:.88rem;font-variant-numeric:tabular-nums}.js .readout{display:block}
.steps-legend{display:flex;margin:.5rem 0;font-size:.72rem;color:var(--soft);white-space:nowrap;max-width:34rem}.steps-legend span{flex:1;min-width:0;text-align:center}
.steps-legend i{display:block;height:.7rem;margin-bottom:.15rem}.steps-legend .refuted{border-left:2px solid var(--ink);margin-left:3px;padding-left:3px}
.legend{display:flex;flex-wrap:wrap;align-items:center;font-size:.8rem;color:var(--soft)}
.legend i{width:1.15rem;height:.75rem}.legend i:first-of-type{margin-left:.5rem}.legend span{margin:0 .4rem}.legend .hx{margin:0 .4rem 0 .9rem}
svg.series{width:36rem}svg text{fill:var(--soft);font:12px var(--sans);font-variant-numeric:tabular-nums}.limit{fill:var(--ink)}
.axis{stroke:var(--ink);fill:none}.grid{stroke:var(--rule);fill:none}.line{stroke:var(--link);stroke-width:1.6;fill:none}.dot{fill:var(--link)}
.h0{fill:var(--h0);background:var(--h0)}.h1{fill:var(--h1);background:var(--h1)}.h2{fill:var(--h2);background:var(--h2)}
.h3{fill:var(--h3);background:var(--h3)}.h4{fill:var(--h4);background:var(--h4)}.h5{fill:var(--h5);background:var(--h5)}
.h6{fill:var(--h6);background:var(--h6)}.h7{fill:var(--h7);background:var(--h7)}.h8{fill:var(--h8);background:var(--h8)}.hx{fill:var(--hx);background:var(--hx)}
[hidden]{display:none!important}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--rule);color:var(--soft);font-size:.85rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
@media(max-width:60rem){.first{grid-template-columns:minmax(0,1fr)}}
@media(max-width:46rem){body{padding:1.2rem 1rem 3rem}.verdict{font-size:1.55rem}.facts{gap:.6rem 1.6rem}h2{margin-top:2rem}
.overview,.overview tbody{display:block}.overview thead{display:none}
.overview tr{display:flex;flex-wrap:wrap;gap:.05rem .85rem;padding:.6rem 0 .7rem}.overview tbody tr+tr>*,.overview .total>*{border:0!important}
.overview tr+tr{border-top:1px solid var(--rule)}.overview .total{border-top:1px solid var(--ink)!important}.overview{border-top:1px solid var(--ink)}
.overview th,.overview td{padding:0;text-align:left;line-height:1.45}.overview tbody td.formats{flex:1 1 auto;overflow-wrap:anywhere;white-space:normal}.overview .total .formats{flex:0}
.overview [data-name]::after{content:"\00a0" attr(data-name);font-weight:400}.overview td.worst::before{content:"worst ";color:var(--soft);font-weight:400}.overview .zero{display:none}
.overview .spread{order:1;flex:1 0 100%;width:100%}.spread:empty{display:none}.strip{height:1.3rem;margin-top:.25rem}tr:first-child td .strip-axis,.total td .strip-axis{display:block}
.first .counts{font-size:.8rem}.first .counts td,.first .counts thead th{padding-right:.45rem}.counts tbody th{min-width:7rem;max-width:7rem;padding-right:.5rem;overflow-wrap:anywhere;line-height:1.3}.counts td{padding-right:.6rem}
.fields{display:grid;grid-template-columns:1fr 1fr}.field select{width:100%;max-width:none}
.case>summary,.row{grid-template-columns:1.1rem minmax(0,1fr) auto;gap:0 .6rem}.who{grid-column:2/-1}.ratio:not(:empty)::before{content:"error / allowed ";color:var(--soft);font-weight:400}.ratio{grid-column:2;text-align:left}
.columns{display:none}.body{padding-left:0}.group>.case,.group>.row{margin-left:.3rem}
.derivation li{grid-template-columns:minmax(0,1fr)}.derivation .name{text-align:left}.derivation .whole{grid-column:1}
svg text{font-size:17px}.steps-legend{font-size:.62rem}}
@media print{body{max-width:none;padding:0;font-size:10pt}#filters,.copy,.skip,.readout{display:none!important}.case,.row,.group{content-visibility:visible}.row,figure,tr{break-inside:avoid}h2,h3,summary{break-after:avoid}
.scroll{overflow:visible}table{font-size:8pt}th,td{padding-right:.5rem}.overview .formats{white-space:normal}.spread{width:7rem;min-width:5rem}pre.output{max-height:none}
.bar,.heat,.steps-legend i,.legend i,.strip{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

}  // namespace assay::inline v0::detail
