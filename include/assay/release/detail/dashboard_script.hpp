#pragma once

namespace assay::inline v0::detail {

/// The list of all outcomes: filters whose state stands in the address, and rows that exist only while they are seen.
/// And the search of metrics. All else on the page needs no script.
inline constexpr const char* dashboard_script = R"js(
(function () {
'use strict';
var d = document, explorer = d.getElementById('explorer');
function all(selector, from) { return Array.prototype.slice.call((from || d).querySelectorAll(selector)); }
function element(tag, style, text, parent) {
  var node = d.createElement(tag);
  if (style) node.className = style;
  if (text !== undefined && text !== null) node.textContent = text;
  if (parent) parent.appendChild(node);
  return node;
}

// Metrics by name.
var search = d.getElementById('metrics'), metrics = all('.metric').map(function (node) { return [node, node.querySelector('.id').textContent.toLowerCase()]; });
if (search) search.addEventListener('input', function () {
  var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  metrics.forEach(function (metric) { metric[0].hidden = !words.every(function (word) { return metric[1].indexOf(word) >= 0; }); });
});

if (!explorer) return;
var data = JSON.parse(d.getElementById('data').textContent), count = data.id.length, symbols = {pass: '✓', fail: '✗', error: '!', inconclusive: '?', new_baseline: '+', skipped: '–', unsupported: '∅'};
var urgency = ['fail', 'error', 'inconclusive', 'new_baseline', 'pass', 'skipped', 'unsupported'], rank = data.verdicts.map(function (name) { return urgency.indexOf(name); });
var verdict = new Uint8Array(count);
for (var at = 0; at < count; ++at) verdict[at] = data.verdict.charCodeAt(at) - 48;
var lower = function (text) { return text.toLowerCase(); }, texts = {id: data.ids.map(lower), run: data.runs.map(function (run) { return (run[0] + ' ' + run[2]).toLowerCase(); }), reason: data.reasons.map(lower)};
var state, shown = new Int32Array(count), matches = 0, chosen = -1, timer = 0, orders = {};
function fresh() { return {verdicts: [], words: '', labels: {}, run: -1, cell: -1, sort: ''}; }
state = fresh();

// The newest runs first, within a verdict.
function order(kind) {
  if (orders[kind]) return orders[kind];
  var index = new Int32Array(count), newest = data.runs.map(function (run, i) { return i; }).sort(function (a, b) { return data.runs[a][1] === data.runs[b][1] ? a - b : data.runs[a][1] < data.runs[b][1] ? 1 : -1; }), age = [];
  newest.forEach(function (run, i) { age[run] = i; });
  for (var i = 0; i < count; ++i) index[i] = i;
  function ratio(i) { return data.ratio[i] === null ? -1 : data.ratio[i]; }
  var compare = {'': function (a, b) { return rank[verdict[a]] - rank[verdict[b]] || age[data.run[a]] - age[data.run[b]] || a - b; },
                 ratio: function (a, b) { var x = ratio(a), y = ratio(b); return x === y ? a - b : y - x; },
                 time: function (a, b) { return data.seconds[b] - data.seconds[a] || a - b; },
                 id: function (a, b) { var x = data.ids[data.id[a]], y = data.ids[data.id[b]]; return x === y ? a - b : x < y ? -1 : 1; }}[kind];
  return orders[kind] = index.sort(compare);
}

// What is chosen. Words are looked for once in each text, not once in each outcome.
function filter() {
  var from = order(state.sort), wanted = data.verdicts.map(function (name) { return !state.verdicts.length || state.verdicts.indexOf(name) >= 0; });
  var runs = state.cell >= 0 ? data.cells[state.cell] : state.run >= 0 ? [state.run] : null, in_runs = data.runs.map(function (run, i) { return !runs || runs.indexOf(i) >= 0; });
  var in_ids = data.idLabels.map(function (labels) {
    return data.labels.every(function (name, i) { return state.labels[name] === undefined || data.labelValues[i][labels[i]] === state.labels[name]; });
  });
  var words = state.words.toLowerCase().split(/\s+/).filter(Boolean).map(function (word) {
    function has(text) { return text.indexOf(word) >= 0; }
    return {id: texts.id.map(has), run: texts.run.map(has), reason: texts.reason.map(has)};
  });
  var totals = data.verdicts.map(function () { return 0; });
  matches = 0;
  next: for (var k = 0; k < count; ++k) {
    var i = from[k], id = data.id[i], run = data.run[i];
    if (!in_runs[run] || !in_ids[id]) continue;
    for (var w = 0; w < words.length; ++w) if (!words[w].id[id] && !words[w].run[run] && !words[w].reason[data.reason[i]]) continue next;
    ++totals[verdict[i]];
    if (wanted[verdict[i]]) shown[matches++] = i;
  }
  return totals;
}

// Rows.
var form, rows, sheet, detail, panes, height = 34, drawn = [-1, -1];
function draw(again) {
  var first = Math.max(0, Math.floor(rows.scrollTop / height) - 6), last = Math.min(matches, Math.ceil((rows.scrollTop + rows.clientHeight) / height) + 6);
  if (!again && first === drawn[0] && last === drawn[1]) return;
  drawn = [first, last];
  var part = d.createDocumentFragment();
  for (var k = first; k < last; ++k) {
    var i = shown[k], name = data.verdicts[verdict[i]], row = element('div', 'outcome', null, part), ratio = data.ratio[i];
    row.id = 'outcome-' + i;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(i === chosen));
    row.setAttribute('aria-setsize', matches);
    row.setAttribute('aria-posinset', k + 1);
    row.setAttribute('data-row', k);
    row.style.top = k * height + 'px';
    element('b', name, symbols[name], row).title = name;
    element('span', 'id', data.ids[data.id[i]], row).title = data.ids[data.id[i]];
    element('span', 'in', data.runs[data.run[i]][0], row).title = data.runs[data.run[i]][0];
    element('span', 'ratio' + (ratio > 1 ? ' over' : ''), ratio === null ? '' : isFinite(ratio) ? String(ratio) : '∞', row);
    element('span', 'time', seconds(data.seconds[i]), row);
  }
  sheet.replaceChildren(part);
}
function seconds(value) { return value >= 1 ? value.toPrecision(3) + ' s' : value >= 1e-3 ? (value * 1e3).toPrecision(3) + ' ms' : value > 0 ? (value * 1e6).toPrecision(3) + ' µs' : ''; }
function measure() {
  var probe = element('div', 'outcome', 'x', sheet);
  height = probe.offsetHeight || height;
  sheet.removeChild(probe);
}
function show() {
  var totals = filter(), active = matches < count;
  measure();
  sheet.style.height = matches * height + 'px';
  rows.scrollTop = 0;
  draw(true);
  d.getElementById('matches').textContent = active ? matches + ' of ' + count + ' outcomes' : count + ' outcomes';
  d.getElementById('clear').hidden = !active && !state.sort;
  all('.pick', form).forEach(function (pick) {
    var name = pick.getAttribute('data-verdict');
    pick.setAttribute('aria-pressed', String(state.verdicts.indexOf(name) >= 0));
    pick.querySelector('b').textContent = totals[data.verdicts.indexOf(name)];
  });
  all('select[data-label]', form).forEach(function (select) { select.value = state.labels[select.getAttribute('data-label')] === undefined ? '' : ' ' + state.labels[select.getAttribute('data-label')]; });
  d.getElementById('in-run').value = state.cell >= 0 ? 'cell' : String(state.run);
  d.getElementById('words').value = state.words;
  d.getElementById('sort').value = state.sort;
}

// One outcome.
function choose(i) {
  chosen = i;
  panes.classList.toggle('chosen', i >= 0);
  detail.hidden = i < 0;
  rows.setAttribute('aria-activedescendant', i < 0 ? '' : 'outcome-' + i);
  draw(true);
  if (i < 0) return;
  var name = data.verdicts[verdict[i]], more = data.details[data.detail[i]];
  detail.replaceChildren();
  var close = element('button', 'close', 'Close', detail);
  close.type = 'button';
  close.addEventListener('click', function () { choose(-1); rows.focus({preventScroll: true}); });
  element('h3', '', data.ids[data.id[i]], detail);
  element('p', name, symbols[name] + ' ' + name.replace('_', ' '), detail);
  if (data.reasons[data.reason[i]]) element('p', 'why', data.reasons[data.reason[i]], detail);
  element('p', 'note', data.runs[data.run[i]].filter(Boolean).join(' · '), detail);
  if (!more) {
    if (name === 'fail' || name === 'error') element('p', 'note', 'Its details are in the JSON report.', detail);
    return;
  }
  if (more.diagnosis.length) {
    var list = element('ul', 'findings', null, detail);
    more.diagnosis.forEach(function (finding) { element('li', '', finding, list); });
  }
  if (more.table) {
    element('p', 'note', more.table.title, detail);
    var table = element('table', 'data', null, element('div', 'scroll', null, detail)), head = element('tr', '', null, element('thead', '', null, table)), body = element('tbody', '', null, table);
    more.table.columns.forEach(function (column) { element('th', '', column, head); });
    more.table.rows.forEach(function (cells) { var row = element('tr', '', null, body); cells.forEach(function (cell) { element('td', 'k', cell, row); }); });
  }
  if (more.again) {
    var command = element('div', 'command', null, detail);
    element('pre', '', more.again, command);
    element('button', 'copy', 'Copy', command).type = 'button';
  }
}
function move(step) {
  var k = 0;
  while (k < matches && shown[k] !== chosen) ++k;
  k = k === matches ? 0 : Math.max(0, Math.min(matches - 1, k + step));
  if (!matches) return;
  if (k * height < rows.scrollTop) rows.scrollTop = k * height;
  if ((k + 1) * height > rows.scrollTop + rows.clientHeight) rows.scrollTop = (k + 1) * height - rows.clientHeight;
  choose(shown[k]);
}

// The address.
function write_address() {
  var part = new URLSearchParams();
  if (state.cell >= 0) part.set('cell', state.cell);
  if (state.run >= 0) part.set('run', state.run);
  if (state.verdicts.length) part.set('verdict', state.verdicts.join(','));
  if (state.words) part.set('text', state.words);
  Object.keys(state.labels).forEach(function (name) { part.set(name, state.labels[name]); });
  if (state.sort) part.set('sort', state.sort);
  try { history.replaceState(null, '', '#' + part.toString()); } catch (refused) { return; }
}
function changed() { write_address(); show(); }
function place(text, most) { return /^\d+$/.test(text || '') && Number(text) < most ? Number(text) : -1; }
function read_address() {
  var hash = location.hash.slice(1);
  if (hash.indexOf('=') < 0) return;
  var part = new URLSearchParams(hash);
  state = fresh();
  state.cell = place(part.get('cell'), data.cells.length);
  if (state.cell < 0) state.run = place(part.get('run'), data.runs.length);
  state.verdicts = (part.get('verdict') || '').split(',').filter(function (name) { return data.verdicts.indexOf(name) >= 0; });
  state.words = part.get('text') || '';
  data.labels.forEach(function (name, i) { if (part.has(name) && data.labelValues[i].indexOf(part.get(name)) >= 0) state.labels[name] = part.get(name); });
  if (/^(ratio|time|id)$/.test(part.get('sort') || '')) state.sort = part.get('sort');
  show();
  choose(state.cell >= 0 && matches > 0 && rank[verdict[shown[0]]] < 2 ? shown[0] : -1);
  d.getElementById('outcomes').scrollIntoView();
}

// The frame.
function select(parent, id, name, options) {
  var field = element('div', 'field', null, parent), label = element('label', '', name, field), box = element('select', '', null, field);
  label.htmlFor = box.id = id;
  options.forEach(function (option) { element('option', '', option[1], box).value = option[0]; });
  return box;
}
form = element('form', '', null, explorer);
var wide = element('div', 'field wide', null, form), words_label = element('label', '', 'Words in id, run or reason', wide), words = element('input', '', null, wide);
words.id = words_label.htmlFor = 'words';
words.type = 'search';
words.autocomplete = 'off';
var picks = element('div', 'chips', null, form);
urgency.forEach(function (name) {
  if (data.verdict.indexOf(String(data.verdicts.indexOf(name))) < 0) return;
  var pick = element('button', 'pick ' + name, null, picks);
  pick.type = 'button';
  pick.setAttribute('data-verdict', name);
  element('span', '', symbols[name] + ' ' + name.replace('_', ' ') + ' ', pick);
  element('b', '', '0', pick);
});
var fields = element('div', 'fields', null, form);
data.labels.forEach(function (name, i) {
  var values = data.labelValues[i].filter(Boolean).sort();
  if (values.length > 1) select(fields, 'label-' + name, name, [['', 'all']].concat(values.map(function (value) { return [' ' + value, value]; }))).setAttribute('data-label', name);
});
var in_run = select(fields, 'in-run', 'run', [['-1', 'all'], ['cell', 'those of a cell']].concat(data.runs.map(function (run, i) { return [String(i), run[0] + (run[1] ? ', ' + run[1] : '')]; })));
in_run.options[1].hidden = true;
select(fields, 'sort', 'order', [['', 'urgent first'], ['ratio', 'error / allowed'], ['time', 'time'], ['id', 'id']]);
var line = element('div', 'matches', null, form), told = element('span', '', null, line), clear = element('button', '', 'Clear', line);
told.id = 'matches';
told.setAttribute('role', 'status');
clear.type = 'reset';
clear.id = 'clear';
panes = element('div', 'panes', null, explorer);
rows = element('div', '', null, panes);
rows.id = 'rows';
rows.tabIndex = 0;
rows.setAttribute('role', 'listbox');
rows.setAttribute('aria-label', 'outcomes');
sheet = element('div', 'sheet', null, rows);
detail = element('div', '', null, panes);
detail.id = 'detail';
detail.hidden = true;
explorer.hidden = false;

rows.addEventListener('scroll', function () { draw(false); });
rows.addEventListener('click', function (event) {
  var row = event.target.closest('.outcome');
  if (row) choose(shown[Number(row.getAttribute('data-row'))]);
});
rows.addEventListener('keydown', function (event) {
  var page = Math.max(1, Math.floor(rows.clientHeight / height) - 1), step = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count}[event.key];
  if (event.key === 'Escape') choose(-1);
  if (!step) return;
  event.preventDefault();
  move(step);
});
words.addEventListener('input', function () {
  clearTimeout(timer);
  timer = setTimeout(function () { state.words = words.value; changed(); }, 60);
});
form.addEventListener('change', function (event) {
  var box = event.target, label = box.getAttribute('data-label');
  if (box.id === 'sort') state.sort = box.value;
  else if (box.id === 'in-run') { if (box.value === 'cell') return; state.cell = -1; state.run = Number(box.value); }
  else if (label && box.value) state.labels[label] = box.value.slice(1);
  else if (label) delete state.labels[label];
  else return;
  changed();
});
form.addEventListener('click', function (event) {
  var pick = event.target.closest('.pick'), name = pick && pick.getAttribute('data-verdict');
  if (!pick) return;
  if (state.verdicts.indexOf(name) < 0) state.verdicts.push(name);
  else state.verdicts.splice(state.verdicts.indexOf(name), 1);
  changed();
});
form.addEventListener('submit', function (event) { event.preventDefault(); });
form.addEventListener('reset', function (event) { event.preventDefault(); state = fresh(); choose(-1); changed(); });
d.addEventListener('click', function (event) {
  var link = event.target.closest && event.target.closest('a[data-cell]'), cell = link && Number(link.getAttribute('data-cell'));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !data.cells[cell].some(function (run) { return run >= 0; })) return;
  event.preventDefault();
  if (location.hash === '#cell=' + cell) read_address();
  else location.hash = 'cell=' + cell;
});
window.addEventListener('hashchange', read_address);
window.addEventListener('resize', function () { measure(); sheet.style.height = matches * height + 'px'; draw(true); });
show();
read_address();
})();
)js";

}  // namespace assay::inline v0::detail
