#pragma once

namespace assay::inline v0::detail {

/// What the HTML report can do beyond being read: filters and sorting whose state stands in the address, copying of
/// commands, heat maps that tell their cells. Without it all is there to read.
inline constexpr const char* page_script = R"js(
(function () {
'use strict';
var d = document, form = d.getElementById('filters');
function all(selector, from) { return Array.prototype.slice.call((from || d).querySelectorAll(selector)); }
function enclosing(node, selector) { return node && node.closest ? node.closest(selector) : null; }
d.documentElement.className = 'js';

// Commands.
function copy_by_selection(text) {
  var box = d.createElement('textarea'), done = false;
  box.value = text;
  box.setAttribute('readonly', '');
  box.style.position = 'fixed';
  box.style.opacity = '0';
  d.body.appendChild(box);
  box.select();
  try { done = d.execCommand('copy'); } catch (refused) { done = false; }
  d.body.removeChild(box);
  return done;
}
function copy(button) {
  var source = button.previousElementSibling, text = source.textContent;
  function tell(done) {
    button.textContent = done ? 'Copied' : 'Selected';
    if (!done) getSelection().selectAllChildren(source);
    setTimeout(function () { button.textContent = 'Copy'; }, 1600);
  }
  function otherwise() { tell(copy_by_selection(text)); button.focus(); }
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(function () { tell(true); }, otherwise);
  else otherwise();
}

// Heat maps.
function tell_cell(svg, row, column) {
  var size = svg.getAttribute('data-map').split(' ').map(Number);
  if (!svg.cells) {
    svg.cells = svg.getAttribute('data-values').split(' ');
    svg.cursor = d.createElementNS('http\x3a//www.w3.org/2000/svg', 'rect');
    svg.cursor.setAttribute('class', 'cursor');
    svg.cursor.setAttribute('width', 1);
    svg.cursor.setAttribute('height', 1);
    svg.appendChild(svg.cursor);
  }
  row = svg.row = Math.max(0, Math.min(size[0] - 1, row));
  column = svg.column = Math.max(0, Math.min(size[1] - 1, column));
  svg.cursor.setAttribute('x', column);
  svg.cursor.setAttribute('y', row);
  function range(cell, per) { return per > 1 ? 's ' + cell * per + '–' + (cell * per + per - 1) : ' ' + cell * per; }
  enclosing(svg, 'figure').querySelector('.readout').textContent =
      'row' + range(row, size[2]) + ', column' + range(column, size[3]) + ': ' + svg.cells[row * size[1] + column];
}
function point(event) {
  var svg = enclosing(event.target, 'svg.heat');
  if (!svg) return;
  var box = svg.getBoundingClientRect(), size = svg.getAttribute('data-map').split(' ').map(Number);
  tell_cell(svg, Math.floor((event.clientY - box.top) / box.height * size[0]), Math.floor((event.clientX - box.left) / box.width * size[1]));
}
all('.readout').forEach(function (line) { line.textContent = 'Point at a cell, or tap it; arrow keys move.'; });
d.addEventListener('pointermove', point);
d.addEventListener('pointerdown', point);
d.addEventListener('keydown', function (event) {
  var steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}, step = steps[event.key];
  var svg = enclosing(event.target, 'svg.heat');
  if (svg && step) {
    event.preventDefault();
    tell_cell(svg, svg.cells ? svg.row + step[0] : 0, svg.cells ? svg.column + step[1] : 0);
  } else if (event.key === '/' && form && !enclosing(event.target, 'input,select,textarea')) {
    event.preventDefault();
    d.getElementById('words').focus();
  }
});

// Cases.
var sections = [], cases = [], state = {verdicts: [], words: '', labels: {}, sort: ''}, order = '', timer = 0;
function number(text) { return text === null ? -1 : /nan|inf/i.test(text) ? Infinity : Number(text); }
all('section[data-verdict]').forEach(function (node) {
  var section = {node: node, verdict: node.getAttribute('data-verdict'), count: node.querySelector('h2 small'), total: 0, shown: 0, groups: [], flat: null};
  sections.push(section);
  function add(node, home, group) {
    ++section.total;
    cases.push({node: node, home: home, section: section, group: group, labels: node.getAttribute('data-labels').split(' '), shown: true,
                ratio: number(node.getAttribute('data-ratio')), seconds: Number(node.getAttribute('data-seconds')), id: '', text: null});
  }
  Array.prototype.forEach.call(node.children, function (child) {
    if (child.hasAttribute('data-seconds')) return add(child, node, null);
    if (child.className !== 'group') return;
    var group = {node: child, count: child.querySelector('small'), total: child.children.length - 1, shown: 0, opened: false};
    section.groups.push(group);
    Array.prototype.forEach.call(child.children, function (entry) { if (entry.hasAttribute('data-seconds')) add(entry, child, group); });
  });
});
function read_texts() {
  if (cases.length && cases[0].text === null) cases.forEach(function (entry) {
    var why = entry.node.querySelector('.why');
    entry.id = entry.node.querySelector('.id').textContent;
    entry.text = (entry.id + ' ' + (why ? why.textContent : entry.group ? entry.group.node.firstChild.textContent : '')).toLowerCase();
  });
}
function count_text(part, active) { return active && part.shown < part.total ? part.shown + ' of ' + part.total : String(part.total); }

function sort() {
  if (order === state.sort) return;
  order = state.sort;
  if (order === 'id') read_texts();
  var compare = {ratio: function (a, b) { return b.ratio === a.ratio ? 0 : b.ratio - a.ratio; }, time: function (a, b) { return b.seconds - a.seconds; },
                 id: function (a, b) { return a.id < b.id ? -1 : a.id > b.id ? 1 : 0; }}[order];
  sections.forEach(function (section) {
    var own = cases.filter(function (entry) { return entry.section === section; }), place = d.createComment('');
    section.node.classList.toggle('sorted', !!compare);
    section.node.replaceWith(place);  // moves outside the document are cheaper
    if (compare) {
      if (!section.flat) section.flat = section.node.appendChild(d.createElement('div'));
      own.sort(compare).forEach(function (entry) { section.flat.appendChild(entry.node); });
    } else {
      own.forEach(function (entry) { entry.home.appendChild(entry.node); });
    }
    place.replaceWith(section.node);
  });
}

function apply() {
  var words = state.words.toLowerCase().split(/\s+/).filter(Boolean), shown = 0, active = words.length > 0 || state.verdicts.length > 0, wanted = [], last = null;
  all('select[data-label]', form).forEach(function (select, i) { if (select.selectedIndex > 0) { wanted.push([i, String(select.selectedIndex - 1)]); active = true; } });
  if (words.length) read_texts();
  sections.forEach(function (section) { section.shown = 0; section.groups.forEach(function (group) { group.shown = 0; }); });
  cases.forEach(function (entry) {
    var hit = (!state.verdicts.length || state.verdicts.indexOf(entry.section.verdict) >= 0) &&
              wanted.every(function (want) { return entry.labels[want[0]] === want[1]; }) && words.every(function (word) { return entry.text.indexOf(word) >= 0; });
    if (hit !== entry.shown) entry.node.hidden = !(entry.shown = hit);
    if (!hit) return;
    last = entry.node;
    ++shown;
    ++entry.section.shown;
    if (entry.group) ++entry.group.shown;
  });
  sections.forEach(function (section) {
    section.node.hidden = section.shown === 0;
    section.count.textContent = count_text(section, active);
    section.groups.forEach(function (group) {
      group.node.hidden = group.shown === 0;
      group.count.textContent = count_text(group, active);
      if (active && group.shown > 0 && shown <= 200 && !group.node.open) group.node.open = group.opened = true;
      else if (group.opened && (!active || shown > 200)) group.node.open = group.opened = false;
    });
  });
  sort();
  if (active && shown === 1 && last.tagName === 'DETAILS') last.open = true;
  d.getElementById('matches').textContent = active ? shown + ' of ' + cases.length + ' cases shown' : cases.length + ' cases';
  d.getElementById('clear').hidden = !active && !state.sort;
  d.getElementById('nothing').hidden = shown > 0;
}

function show_state() {
  d.getElementById('words').value = state.words;
  d.getElementById('sort').value = state.sort;
  all('.chip', form).forEach(function (chip) { chip.setAttribute('aria-pressed', String(state.verdicts.indexOf(chip.getAttribute('data-verdict')) >= 0)); });
  all('select[data-label]', form).forEach(function (select) {
    select.value = state.labels[select.getAttribute('data-label')] || '';
    if (select.selectedIndex < 0) select.selectedIndex = 0;
  });
}
function write_address() {
  var part = new URLSearchParams();
  if (state.verdicts.length) part.set('verdict', state.verdicts.join(','));
  if (state.words) part.set('text', state.words);
  Object.keys(state.labels).forEach(function (name) { if (state.labels[name]) part.set(name, state.labels[name]); });
  if (state.sort) part.set('sort', state.sort);
  try { history.replaceState(null, '', '#' + part.toString()); } catch (refused) { location.hash = part.toString(); }
}
function changed() { write_address(); apply(); }
function clear() { state = {verdicts: [], words: '', labels: {}, sort: ''}; }

function reveal(anchor) {
  var node = anchor && d.getElementById(anchor);
  if (!node) return;
  if (form && node.closest('[hidden]')) { clear(); show_state(); apply(); }
  for (var at = node; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  node.scrollIntoView();
}
function read_address() {
  var text = location.hash.slice(1);
  if (text.indexOf('=') < 0) return text ? reveal(text) : undefined;
  if (!form) return;
  var part = new URLSearchParams(text);
  clear();
  state.verdicts = (part.get('verdict') || '').split(',').filter(function (name) { return sections.some(function (section) { return section.verdict === name; }); });
  state.words = part.get('text') || '';
  all('select[data-label]', form).forEach(function (select) {
    var name = select.getAttribute('data-label'), value = part.get(name);
    if (value && all('option', select).some(function (option) { return option.value === value; })) state.labels[name] = value;
  });
  if (/^(ratio|time|id)$/.test(part.get('sort') || '')) state.sort = part.get('sort');
  show_state();
  apply();
}

d.addEventListener('click', function (event) {
  var button = enclosing(event.target, '.copy'), link = enclosing(event.target, 'a[data-filter]'), chip = enclosing(event.target, '.chip');
  if (button) copy(button);
  if (link && form && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if (location.hash.slice(1) === link.getAttribute('data-filter')) read_address();
    else location.hash = link.getAttribute('data-filter');
    d.getElementById('cases').scrollIntoView();
    d.getElementById('cases').focus({preventScroll: true});
  }
  if (chip) {
    var verdict = chip.getAttribute('data-verdict'), at = state.verdicts.indexOf(verdict);
    if (at < 0) state.verdicts.push(verdict); else state.verdicts.splice(at, 1);
    chip.setAttribute('aria-pressed', String(at < 0));
    changed();
  }
});
if (form) {
  d.getElementById('words').addEventListener('input', function (event) {
    state.words = event.target.value;
    clearTimeout(timer);
    timer = setTimeout(changed, 80);
  });
  form.addEventListener('change', function (event) {
    if (event.target.id === 'sort') state.sort = event.target.value;
    else if (event.target.hasAttribute('data-label')) state.labels[event.target.getAttribute('data-label')] = event.target.value;
    else return;
    changed();
  });
  form.addEventListener('submit', function (event) { event.preventDefault(); });
  form.addEventListener('reset', function (event) { event.preventDefault(); clear(); show_state(); changed(); });
  apply();
}
window.addEventListener('hashchange', read_address);
window.addEventListener('beforeprint', function () { all('section[data-verdict=fail]>.case,section[data-verdict=error]>.case').slice(0, 100).forEach(function (node) { node.open = true; }); });
read_address();
})();
)js";

}  // namespace assay::inline v0::detail
