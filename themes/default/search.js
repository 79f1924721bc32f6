/* Search in the index beside this page: files of lines that script elements load, so that it works
 * from a folder, too. hmirror writes the index; its words follow the rule of words() here. */
(function () {
  'use strict';
  var POINTS = 32, SHOWN = 8;
  /* What one query loads, in bytes: in all, and before its documents; a file of words or of
   * documents has no more than this (gen/page/search.h). */
  var QUERY = 100000, WORDS = 66000, WORDS_FILE = 20600, DOCS_FILE = 10300;
  var COMMON = ['a', 'an', 'and', 'are', 'as', 'at', 'be', 'by', 'for', 'from', 'has', 'in', 'is', 'it', 'its', 'of', 'on', 'or', 'that', 'the', 'this', 'to', 'was', 'with'];

  /* --- words ------------------------------------------------------------------------ */

  /* Letters of scripts that are written without spaces. */
  var UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]/u;

  /* A list of chunks, which white space parts: {words, all}. Of a script without spaces each pair of
     letters is one. As hm_text_each_word in core/base/words.c. */
  function words(text) {
    var chunks = [], chunk = null, word = '', stop = false, run = '';
    function cut(w) { return Array.from(w).slice(0, POINTS).join(''); }
    function endWord() {
      if (word) (chunk = chunk || { words: [] }).words.push(word);
      word = '';
      stop = false;
    }
    function endChunk() {
      endWord();
      if (!chunk) return;
      chunk.all = cut(chunk.words.join(''));
      chunk.words = chunk.words.map(cut);
      chunks.push(chunk);
      chunk = null;
    }
    function give(w) { chunks.push({ words: [w], all: w }); }
    function endRun() {
      if (Array.from(run).length === 1) give(run);
      run = '';
    }
    Array.from(text.normalize('NFKD')).forEach(function (c) {
      if (/\p{M}/u.test(c)) return;
      if (UNSPACED.test(c) && /[\p{L}\p{N}]/u.test(c)) {
        endChunk();
        if (run) give(Array.from(run).pop() + c);
        run += c;
        return;
      }
      endRun();
      if (/\p{White_Space}/u.test(c)) return endChunk();
      if (c === '.' && !stop && /[0-9]$/.test(word)) { stop = true; return; }
      if (stop && !/[0-9]/.test(c)) endWord();
      if (!/[\p{L}\p{N}]/u.test(c)) return endWord();
      if (stop) word += '.';
      stop = false;
      word += c.toLowerCase().replace(/\u03c2/g, '\u03c3');
    });
    endRun();
    endChunk();
    return chunks;
  }

  /* The common beginning of "supports", "supported" and "supporting". A word with a digit is a name and stays whole. */
  function stem(word) {
    if (/[0-9]/.test(word) || word.length < 5) return word;
    var ends = ['ing', 'ies', 'ied', 'es', 'ed', 's', 'e', 'y'];
    for (var i = 0; i < ends.length; i++) {
      var end = ends[i], left = word.slice(0, word.length - end.length);
      if (left.length >= 4 && word.slice(left.length) === end && !/ss$/.test(word)) return left;
    }
    return word;
  }

  /* --- shards ----------------------------------------------------------------------- */

  var base = document.currentScript ? document.currentScript.src.replace(/assets\/[^/]*$/, 'search/') : 'search/';
  var shards = new Map(), waiting = new Map();

  window.hmShard = function (name, lines) {
    shards.set(name, lines);
    (waiting.get(name) || []).forEach(function (go) { go(lines); });
    waiting.delete(name);
  };

  function load(name) {
    if (shards.has(name)) return Promise.resolve(shards.get(name));
    return new Promise(function (go) {
      if (waiting.has(name)) return waiting.get(name).push(go);
      waiting.set(name, [go]);
      var s = document.createElement('script');
      s.src = base + name + '.js';
      s.onerror = function () { window.hmShard(name, []); };
      document.head.appendChild(s);
    });
  }

  /* A lower bound of the bytes of its file. */
  function sizeOf(name) {
    return JSON.stringify(shards.get(name) || []).replace(/[^\x00-\x7f]/g, '???').length + name.length + 20;
  }

  /* What the index says of its files. words: prefix -> true where longer prefixes have files, too; docs: the
   * beginnings of codes, in bits, that have a file. */
  var directory = null;

  /* The leaves of a binary tree, written from its root: 1 is a node that is cut in two, 0 a leaf. "10100" has
   * the leaves "0", "10" and "11". */
  function leaves(tree) {
    var all = new Set(), open = [''];
    for (var i = 0; open.length; i++) {
      var bits = open.pop();
      if (tree[i] === '1') open.push(bits + '1', bits + '0');
      else all.add(bits);
    }
    return all;
  }

  function open() {
    return load('index').then(function (lines) {
      if (directory) return;
      directory = { words: new Map(), docs: new Set() };
      lines.forEach(function (l) {
        if (l[0] === ':') directory.docs = leaves(l.slice(1));
        else directory.words.set(l.replace(/\*$/, ''), /\*$/.test(l));
      });
    });
  }

  function fileOf(prefix) {
    return 'w-' + prefix.replace(/[^a-z0-9]/gu, function (c) {
      return encodeURIComponent(c).replace(/%/g, '-').toLowerCase().replace(/^[^-]$/, function (p) {
        return '-' + p.charCodeAt(0).toString(16);
      });
    });
  }

  var DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  function bitsOf(code) {
    return Array.from(code).map(function (c) { return (DIGITS.indexOf(c) + 64).toString(2).slice(1); }).join('');
  }

  /* --- answers ---------------------------------------------------------------------- */

  /* The prefix of the shard that holds the words with this beginning; null: there is none. */
  function shardOf(term) {
    var at = Array.from(term), n = at.length, name = null;
    for (; n >= 0 && name === null; n--)
      if (directory.words.has(at.slice(0, n).join(''))) name = at.slice(0, n).join('');
    return name === null || (directory.words.get(name) && name !== term) ? null : name;
  }

  /* code -> {is, title, exact} of what has a word that begins with the term. common: the index does
   * not have them all, so it narrows nothing. */
  function find(term) {
    var found = { docs: new Map(), common: false }, name = shardOf(term);
    if (name === null) return Promise.resolve(found);
    return load(fileOf(name)).then(function (lines) {
      lines.forEach(function (line) {
        var parts = line.split(' '), exact = parts[0] === term;
        if (!exact && parts[0] !== '*' && parts[0].indexOf(term) !== 0) return;
        if (parts[0] === '*' || (parts[1] && parts[1][0] === '+')) found.common = true;
        parts.slice(1).forEach(function (run) {
          if (run[0] === '+') return;
          var is = run[0].toLowerCase(), title = run[0] !== is;
          for (var i = 1; i < run.length; i += 5) {
            var code = run.slice(i, i + 5), d = found.docs.get(code);
            if (!d) found.docs.set(code, d = { is: is, title: false, exact: false });
            d.title = d.title || title;
            d.exact = d.exact || exact;
          }
        });
      });
      return found;
    });
  }

  function both(a, b) {
    b.docs.forEach(function (d, code) {
      var was = a.docs.get(code);
      if (!was) return a.docs.set(code, { is: d.is, title: d.title, exact: d.exact });
      was.title = was.title || d.title;
      was.exact = was.exact || d.exact;
    });
    a.common = a.common || b.common;
    return a;
  }

  function findWord(word) {
    var root = stem(word);
    return find(word).then(function (a) {
      return root === word ? a : find(root).then(function (b) { return both(a, b); });
    });
  }

  function filesOf(word) {
    return [word, stem(word)].map(shardOf).filter(function (name) { return name !== null; }).map(fileOf);
  }

  /* Numbers and ids first, then the longest: the rarer a word, the more it narrows. */
  function byRarity(a, b) {
    var digits = /[0-9]/;
    return digits.test(b) - digits.test(a) || b.length - a.length || (a < b ? -1 : a > b ? 1 : 0);
  }

  /* What is found of each word, one after the other, as long as their files fit; the others narrow
   * nothing and are told. What was loaded before does not count as less: a query has one answer. */
  function findAll(list, cost) {
    return list.slice().sort(byRarity).reduce(function (before, word) {
      return before.then(function (all) {
        var files = filesOf(word).filter(function (f, i, of) { return of.indexOf(f) === i && !cost.files.has(f); });
        if (cost.files.size && cost.bytes + files.length * WORDS_FILE > WORDS) {
          cost.left.push(word);
          return all.concat([[word, { docs: new Map(), common: true }]]);
        }
        return findWord(word).then(function (f) {
          files.forEach(function (name) { cost.files.add(name); cost.bytes += sizeOf(name); });
          return all.concat([[word, f]]);
        });
      });
    }, Promise.resolve([]));
  }

  /* What has all words, but for those that are too common to narrow anything; of such words alone,
   * what has any. */
  function every(list) {
    var narrow = list.filter(function (f) { return !f.common; }), all = [];
    all.more = list.length > 0 && !narrow.length;
    var first = narrow.sort(function (a, b) { return a.docs.size - b.docs.size; })[0] ||
                list.reduce(both, { docs: new Map(), common: true });
    first.docs.forEach(function (d, code) {
      var hit = { code: code, is: d.is, title: 0, exact: 0, has: 0 };
      for (var i = 0; i < list.length; i++) {
        var e = list[i].docs.get(code);
        if (!e && !list[i].common) return;
        if (!e) continue;
        hit.has++;
        hit.title += e.title;
        hit.exact += e.exact;
      }
      all.push(hit);
    });
    return all;
  }

  /* Exact ids and numbers first, then disputed rows, then by trust. */
  function rank(hits, named) {
    return hits.sort(function (a, b) {
      return (named ? b.exact - a.exact : 0) || b.has - a.has || (a.is < b.is ? -1 : a.is > b.is ? 1 : 0) ||
             b.title - a.title || b.exact - a.exact || (a.code < b.code ? -1 : 1);
    });
  }

  function search(query) {
    var chunks = words(query).filter(function (c) { return COMMON.indexOf(c.all) < 0; });
    var named = /[0-9]/.test(query);
    return open().then(function () {
      var cost = { bytes: sizeOf('index'), files: new Set(), left: [] };
      return findAll(chunks.map(function (c) { return c.all; }), cost).then(function (found) {
        var at = new Map(found), apart = [];
        chunks.forEach(function (c) {
          var f = at.get(c.all);
          if (f.docs.size || f.common || c.words.length < 2) return;
          at.delete(c.all);
          apart = apart.concat(c.words.filter(function (w) { return COMMON.indexOf(w) < 0; }));
        });
        return findAll(apart, cost).then(function (more) { return Array.from(at).concat(more); });
      }).then(function (found) {
        var hits = rank(every(found.map(function (f) { return f[1]; })), named);
        hits.cost = cost;
        return hits;
      });
    });
  }

  function docFile(code) {
    var bits = bitsOf(code), n = bits.length;
    while (n >= 0 && !directory.docs.has(bits.slice(0, n))) n--;
    return 'd-' + bits.slice(0, Math.max(n, 0));
  }

  /* The first hits whose documents fit the limit, at least one. spent: bytes that are loaded already. */
  function first(list, spent) {
    var files = new Set(), n = 0;
    for (; n < list.length && n < SHOWN; n++) {
      var name = docFile(list[n].code);
      if (n && !files.has(name) && spent + (files.size + 1) * DOCS_FILE > QUERY) break;
      files.add(name);
    }
    return list.slice(0, n);
  }

  /* The line of a document: [code, url, label, what, where, value, mark]. */
  function doc(code) {
    return load(docFile(code)).then(function (lines) {
      return lines.filter(function (l) { return l[0] === code; })[0];
    });
  }

  window.hmSearch = { words: words, stem: stem, search: search, first: first, doc: doc };

  /* --- the page --------------------------------------------------------------------- */

  var main = document.getElementById('main');
  if (!main) return;
  var form = document.createElement('div'), label = document.createElement('label'), input = document.createElement('input'),
      said = document.createElement('output'), list = document.createElement('ol'), more = document.createElement('button');
  var hits = [], shown = 0, asked = 0;

  function link(url, text, className) {
    var a = document.createElement('a');
    /* The index has only places within the mirror: a link to anywhere else is refused. */
    if (!/^([a-z0-9./-]|%[89A-F][0-9A-F])+\.html(#[A-Za-z0-9._~%-]*)?$/.test(url)) return document.createTextNode(text);
    a.href = base.replace(/search\/$/, '') + url;
    a.textContent = text;
    if (className) a.className = className;
    return a;
  }

  /* As pages show texts of facts: the sign of the marker is the mirror's own. */
  function fact(text) { return text.replace(/\u26a0[\ufe0e\ufe0f]?/g, '\u27e6!\u27e7'); }

  function item(d) {
    var li = document.createElement('li'), small = document.createElement('small');
    li.appendChild(link(d[1], fact(d[2]), ''));
    if (d[5]) li.appendChild(document.createTextNode(': ' + fact(d[5])));
    if (d[6]) {
      li.appendChild(document.createTextNode(' '));
      li.appendChild(link(d[6], '\u26a0 disputed', 'disputed'));
    }
    small.textContent = ' ' + fact([d[3], d[4]].filter(Boolean).join(', '));
    li.appendChild(small);
    return li;
  }

  function show() {
    var at = asked, next = first(hits.slice(shown), shown ? 0 : hits.cost.bytes);
    shown += next.length;
    return Promise.all(next.map(function (h) { return doc(h.code); })).then(function (lines) {
      if (at !== asked) return;
      lines.forEach(function (d) { if (d) list.appendChild(item(d)); });
      more.hidden = shown >= hits.length;
    });
  }

  function tell(query, found) {
    var chunks = words(query);
    if (!chunks.length || found.length === 1) return chunks.length ? '1 result' : '';
    if (found.length) return found.length.toLocaleString('en') + (found.more ? ' and more' : '') + ' results';
    return chunks.every(function (c) { return COMMON.indexOf(c.all) >= 0; }) ?
      'Every text has such words: add another one' : 'Nothing found: try fewer words, or others';
  }

  function ask() {
    var at = ++asked, query = input.value;
    return search(query).then(function (found) {
      if (at !== asked) return;
      hits = found;
      shown = 0;
      list.textContent = '';
      said.textContent = tell(query, found);
      if (found.cost.left.length) said.textContent += ', left out: ' + found.cost.left.join(', ');
      more.hidden = true;
      return show();
    });
  }

  function links() { return Array.from(list.querySelectorAll('li > a:first-child')); }

  function onKey(e) {
    var all = links(), i = all.indexOf(document.activeElement);
    if (e.key === '/' && document.activeElement !== input) input.focus();
    else if (e.key === 'ArrowDown' && (i >= 0 || document.activeElement === input)) (all[i + 1] || all[i] || input).focus();
    else if (e.key === 'ArrowUp' && i >= 0) (all[i - 1] || input).focus();
    else if (e.key === 'Enter' && document.activeElement === input && all[0]) all[0].click();
    else if (e.key === 'Escape' && i >= 0) input.focus();
    else return;
    e.preventDefault();
  }

  form.className = 'filter search';
  label.textContent = 'Search ';
  input.type = 'search';
  input.autocomplete = 'off';
  said.setAttribute('aria-live', 'polite');
  list.className = 'results';
  more.type = 'button';
  more.textContent = 'More results';
  more.hidden = true;
  label.appendChild(input);
  form.appendChild(label);
  form.appendChild(said);
  said.textContent = 'Words, a name or an id of anything recorded; what is disputed comes first. Keys: / to come here, arrows, Enter.';
  var text = main.querySelector('p');
  if (text) text.hidden = true;
  main.insertBefore(form, text);
  main.insertBefore(list, text);
  main.insertBefore(more, text);
  input.addEventListener('input', ask);
  more.addEventListener('click', show);
  document.addEventListener('keydown', onKey);
  input.focus();
  open();

}());
