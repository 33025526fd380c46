#pragma once

namespace assay::detail {

/// The style sheet of the HTML report: black on paper (or paper on black), rules as in a printed table, colour only where
/// it says something. System fonts only: the page loads nothing.
inline constexpr const char* page_style = R"css(
:root{color-scheme:light dark;--paper:#fdfcf9;--ink:#1d1c1a;--soft:#68645c;--rule:#d9d4c8;--panel:#f5f2ea;--link:#1f4e79;
--pass:#2e7048;--fail:#b3261e;--warn:#8a5a00;--idle:#78746b;
--h0:#f3efe4;--h1:#f0dfbd;--h2:#ecca93;--h3:#e5b06b;--h4:#d9914b;--h5:#c67035;--h6:#a95127;--h7:#84351f;--h8:#5a1f18;--hx:#5b3fa8}
@media(prefers-color-scheme:dark){:root{--paper:#171715;--ink:#e9e5db;--soft:#a29d91;--rule:#3a3833;--panel:#201f1c;--link:#8fbbe8;
--pass:#7cc596;--fail:#f2857b;--warn:#e3b25c;--idle:#98948a;
--h0:#262420;--h1:#3a2f22;--h2:#553d24;--h3:#744d26;--h4:#94602a;--h5:#b47731;--h6:#d09443;--h7:#e6b566;--h8:#f9dc9c;--hx:#a48be8}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0 auto;padding:3rem 1.5rem 5rem;max-width:66rem;background:var(--paper);color:var(--ink);
font:1.0625rem/1.55 "Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,"DejaVu Serif",serif}
h1{font-size:2.1rem;line-height:1.2;font-weight:600;margin:0 0 .35rem;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:1.3rem;font-weight:600;margin:2.6rem 0 .8rem;display:flex;gap:.5em;align-items:baseline}
h2 small{font-size:.9rem;font-weight:400;color:var(--soft)}
h3{font-size:.82rem;font-weight:600;margin:1.3rem 0 .35rem;color:var(--soft);letter-spacing:.08em;text-transform:uppercase}
p{margin:.4rem 0}a{color:var(--link)}
code,pre,.id{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.84em;
overflow-wrap:anywhere;unicode-bidi:isolate}
pre{margin:.3rem 0;padding:.6rem .8rem;background:var(--panel);border-radius:4px;white-space:pre-wrap}
.lead{font-size:1.15rem;margin-bottom:1.1rem}.note,.lead small{color:var(--soft);font-size:.9rem}
.bar{display:flex;height:.6rem;gap:2px;margin:.9rem 0 .7rem}.bar span{min-width:3px;border-radius:1px;background:currentColor}
.totals{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;list-style:none;margin:0 0 1.4rem;padding:0;font-size:.98rem}
.totals a{color:inherit;text-decoration:none}.totals a:hover{text-decoration:underline}
.totals b{font-variant-numeric:tabular-nums}
.pass{color:var(--pass)}.fail,.error{color:var(--fail)}.inconclusive,.new_baseline{color:var(--warn)}.unsupported,.skipped{color:var(--idle)}
.alert{border-left:3px solid var(--warn);padding:.3rem .9rem;margin:1rem 0;background:var(--panel)}
.scroll{overflow-x:auto;margin:.4rem 0 .8rem}
table{border-collapse:collapse;font-size:.93rem;font-variant-numeric:tabular-nums lining-nums;border-top:1.5px solid var(--ink);
border-bottom:1.5px solid var(--ink)}
.summary{width:100%;font-size:.9rem}.summary th,.summary td{padding-right:.8rem}
th{font-weight:600;text-align:left;border-bottom:1px solid var(--ink);vertical-align:bottom}
th,td{padding:.26rem 1.1rem .26rem 0;vertical-align:top}th:last-child,td:last-child{padding-right:0}
.n{text-align:right}td.n,.k{white-space:nowrap}.total td{border-top:1px solid var(--rule)}.zero{color:var(--idle);opacity:.6}
td.key{color:var(--soft);white-space:nowrap}td.value{overflow-wrap:anywhere}
.environment{padding-left:1.1rem}details>summary{cursor:pointer;list-style-position:outside}
summary::marker{color:var(--soft)}
.case{border-top:1px solid var(--rule);padding:.5rem 0 .5rem 1.1rem}.case>summary{margin-left:0}
.case:last-of-type{border-bottom:1px solid var(--rule)}
.case[open]{padding-bottom:1.4rem}
.case .why{display:block;font-size:.97rem;margin-top:.1rem}
.case .ratio{color:var(--soft);font-size:.88rem;white-space:nowrap}
.group{margin:.2rem 0;padding-left:1.1rem;content-visibility:auto;contain-intrinsic-size:auto 2.2rem}
.group>summary{padding:.15rem 0}.group>summary small{color:var(--soft)}
.group .case,.row{font-size:.95rem}
.row{border-top:1px solid var(--rule);padding:.28rem 0 .28rem 1.1rem;overflow-wrap:anywhere}
.row .ratio{color:var(--soft);font-size:.88rem;margin-left:.6em;white-space:nowrap}
ul.findings,ol.findings{margin:.2rem 0;padding-left:1.3rem}.findings li{margin:.15rem 0;overflow-wrap:anywhere}
figure{margin:.8rem 0 1.2rem}figcaption{font-style:italic;margin-bottom:.35rem}
svg{max-width:100%;display:block}svg.heat{border:1px solid var(--rule);shape-rendering:crispEdges;height:auto;min-height:1.2rem}
svg.series{width:36rem;max-width:100%}svg text{fill:var(--soft);font:12px ui-sans-serif,system-ui,sans-serif}
.axis{stroke:var(--ink);fill:none}.grid{stroke:var(--rule);fill:none}.line{stroke:var(--link);stroke-width:1.6;fill:none}.dot{fill:var(--link)}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:0;font-size:.85rem;color:var(--soft)}
.legend i{width:1.15rem;height:.75rem}.legend i:first-of-type{margin-left:.5rem}.legend span{margin:0 .4rem}.legend .hx{margin:0 .4rem 0 .9rem}
.h0{fill:var(--h0);background:var(--h0)}.h1{fill:var(--h1);background:var(--h1)}.h2{fill:var(--h2);background:var(--h2)}
.h3{fill:var(--h3);background:var(--h3)}.h4{fill:var(--h4);background:var(--h4)}.h5{fill:var(--h5);background:var(--h5)}
.h6{fill:var(--h6);background:var(--h6)}.h7{fill:var(--h7);background:var(--h7)}.h8{fill:var(--h8);background:var(--h8)}.hx{fill:var(--hx);background:var(--hx)}
#filter{display:none;width:100%;margin:1.6rem 0 0;padding:.5rem .7rem;font:inherit;font-size:1rem;color:inherit;background:var(--panel);
border:1px solid var(--rule);border-radius:4px}.js #filter{display:block}#matches:empty{display:none}
[hidden]{display:none!important}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--rule);color:var(--soft);font-size:.88rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media(max-width:40rem){svg.series text{font-size:17px}body{padding:1.4rem 1rem 3rem;font-size:1rem}h1{font-size:1.6rem}.lead{font-size:1.05rem}
table{font-size:.86rem}th,td{padding-right:.7rem}.case,.row,.group,.environment{padding-left:.95rem}td.key{white-space:normal}}
@media print{body{max-width:none;padding:0}#filter,#matches{display:none!important}}
)css";

/// The filter box. Every word typed must occur in a case's text; groups without a match hide.
inline constexpr const char* page_script = R"js(
(function(){var d=document,box=d.getElementById('filter'),out=d.getElementById('matches');
if(!box)return;d.documentElement.className='js';
var cases=[].slice.call(d.querySelectorAll('[data-case]')),texts=null,timer=0;
function closest(sel){return [].slice.call(d.querySelectorAll(sel))}
function apply(){var words=box.value.toLowerCase().split(/\s+/).filter(Boolean),shown=0;
if(!texts)texts=cases.map(function(c){return c.textContent.toLowerCase()});
cases.forEach(function(c,i){var hit=words.every(function(w){return texts[i].indexOf(w)>=0});c.hidden=!hit;if(hit)shown++});
closest('.group').forEach(function(g){var any=!!g.querySelector('[data-case]:not([hidden])');g.hidden=words.length>0&&!any;
if(words.length&&any)g.open=true});
closest('section').forEach(function(s){s.hidden=words.length>0&&!s.querySelector('[data-case]:not([hidden])')});
out.textContent=words.length?shown+' of '+cases.length+' cases match':''}
box.addEventListener('input',function(){clearTimeout(timer);timer=setTimeout(apply,120)})})();
)js";

}  // namespace assay::detail
