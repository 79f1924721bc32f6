/* Adds a filter and sorting to lists. Without this script a page shows the same rows, unsorted. */
(function () {
  'use strict';
  var FEWEST = 8, FEWEST_SORTED = 4;
  var main = document.getElementById('main'), kind = document.body.className;
  if (!main) return;
  /* On the page of sources in many parts the filter leaves out the links to the parts, above the heading. */
  var among = kind === 'kind-sources' && main.querySelector(':scope > h2') ? ':scope > h2 ~ ul' : ':scope > ul';

  /* What is filtered: rows of tables, else entries below their headings, else items of lists. Of
   * findings a heading is a rule, and a table shows the texts of one. */
  function entries() {
    var findings = /findings/.test(kind);
    var heads = Array.prototype.filter.call(main.querySelectorAll(':scope > h2, :scope > h3'), function (h) {
      return kind === 'kind-archive' || (h.tagName === 'H3' && h.querySelector('a[id]'));
    });
    var rows = main.querySelectorAll('tbody > tr');
    if (rows.length && !findings)
      return Array.prototype.map.call(rows, function (r) { return [r]; });
    if (heads.length) return heads.map(function (h) {
      var all = [h];
      for (var e = h.nextElementSibling; e && !/^(H[1-3]|HR)$/.test(e.tagName); e = e.nextElementSibling) all.push(e);
      return all;
    });
    return Array.prototype.map.call(main.querySelectorAll(among + ' > li'), function (l) { return [l]; });
  }

  function words(text) { return text.replace(/_/g, ' ').toLowerCase().normalize('NFKD').replace(/[\u0300-\u036f]/g, ''); }

  /* --- the filter ----------------------------------------------------------------- */

  var items = entries().map(function (nodes) {
    return { nodes: nodes, text: words(nodes.map(function (n) { return n.textContent; }).join(' ')) };
  });

  function show(node, on) { node.hidden = !on; }

  /* A table without rows, a list without items and a heading without anything below it are hidden. */
  function tidy() {
    main.querySelectorAll(':scope > .table').forEach(function (t) {
      show(t, !!t.querySelector('tbody > tr:not([hidden])'));
    });
    main.querySelectorAll(':scope > ul').forEach(function (u) {
      if (u.dataset.filtered) show(u, !!u.querySelector(':scope > li:not([hidden])'));
    });
    var below = { 2: false, 3: false };
    Array.prototype.slice.call(main.children).reverse().forEach(function (e) {
      var level = /^H[23]$/.test(e.tagName) ? +e.tagName[1] : 0;
      if (level) {
        if (!e.dataset.item) show(e, below[level]);
        if (!e.hidden && level === 3) below[2] = true;
        below[level] = false;
        if (level === 2) below[3] = false;
      } else if (e.tagName !== 'HR' && !e.hidden) below[2] = below[3] = true;
    });
  }

  function addFilter() {
    var box = document.createElement('p'), label = document.createElement('label'),
        input = document.createElement('input'), said = document.createElement('output');
    box.className = 'filter';
    label.textContent = 'Filter ';
    input.type = 'search';
    input.autocomplete = 'off';
    said.setAttribute('aria-live', 'polite');
    label.appendChild(input);
    box.appendChild(label);
    box.appendChild(said);
    items.forEach(function (i) {
      i.nodes[0].dataset.item = '1';
      if (i.nodes[0].tagName === 'LI') i.nodes[0].parentNode.dataset.filtered = '1';
    });
    function apply() {
      var wanted = words(input.value).split(/\s+/).filter(Boolean), n = 0;
      items.forEach(function (i) {
        var on = wanted.every(function (w) { return i.text.indexOf(w) >= 0; });
        n += on;
        i.nodes.forEach(function (e) { show(e, on); });
      });
      said.textContent = wanted.length ? n + ' of ' + items.length : items.length + ' in all';
      if (wanted.length || main.querySelector('[hidden]')) tidy();
    }
    input.addEventListener('input', apply);
    var first = among === ':scope > ul' ? main.querySelector('h2, .table, h1 ~ ul, h1 ~ h3') : main.querySelector(among);
    main.insertBefore(box, first);
    apply();
  }

  /* --- columns --------------------------------------------------------------------- */

  function key(row, column) {
    var cell = row.cells[column], time = cell && cell.querySelector('time');
    var text = time ? time.dateTime : cell ? cell.textContent.trim() : '';
    var number = /^⚠?\s*-?[\d,]+(\.\d+)?$/.test(text) ? parseFloat(text.replace(/[⚠,\s]/g, '')) : null;
    return { text: text, number: number };
  }

  function before(a, b) {
    if (!a.text !== !b.text) return a.text ? -1 : 1;
    if (a.number !== null && b.number !== null) return a.number - b.number;
    return a.text.localeCompare(b.text, 'en', { numeric: true, sensitivity: 'base' });
  }

  function addSorting(table) {
    var body = table.tBodies[0];
    if (!body || body.rows.length < FEWEST_SORTED) return;
    var own = Array.prototype.slice.call(body.rows);
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (th, column) {
      var button = document.createElement('button');
      button.type = 'button';
      while (th.firstChild) button.appendChild(th.firstChild);
      if (!button.textContent) return;
      th.appendChild(button);
      button.addEventListener('click', function () {
        var was = th.getAttribute('aria-sort');
        var now = was === 'ascending' ? 'descending' : was === 'descending' ? null : 'ascending';
        heads.forEach(function (h) { h.removeAttribute('aria-sort'); });
        if (now) th.setAttribute('aria-sort', now);
        var rows = own.map(function (r, i) { return { row: r, key: key(r, column), at: i }; });
        if (now) rows.sort(function (a, b) {
          var d = before(a.key, b.key);
          return (now === 'descending' && a.key.text && b.key.text ? -d : d) || a.at - b.at;
        });
        rows.forEach(function (r) { body.appendChild(r.row); });
      });
    });
  }

  /* --- the key of search ----------------------------------------------------------- */

  document.addEventListener('keydown', function (e) {
    var link = document.querySelector('a[accesskey="/"]');
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || !link || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    e.preventDefault();
    link.click();
  });

  if (items.length >= FEWEST) addFilter();
  main.querySelectorAll('.table > table').forEach(addSorting);
}());
