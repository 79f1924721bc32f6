// themes/default/search.js without a browser: node search.mjs words TABLE; node search.mjs site FOLDER; node search.mjs cost FOLDER.
// words: its words are those of the table. site: what it answers from the shards of a site is what
// one finds by reading all shards; no file is larger than search.js believes, none is loaded twice.
// cost: no query loads over 100 KB, however many words it has.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [, , what, where] = process.argv;
const loaded = [];

function run(folder) {
  const window = {};
  const context = vm.createContext({
    window, Promise, Map, Set,
    hmShard: (name, lines) => window.hmShard(name, lines),
    document: {
      currentScript: { src: 'x/assets/search.js' },
      getElementById: () => null,
      createElement: () => ({}),
      head: {
        appendChild: s => {
          const file = path.join(folder, s.src.replace(/^x\//, ''));
          assert.match(s.src, /^x\/search\/[a-z0-9-]+\.js$/);
          setImmediate(() => {
            if (!fs.existsSync(file)) return s.onerror();
            const code = fs.readFileSync(file, 'utf8');
            loaded.push([s.src, Buffer.byteLength(code)]);
            vm.runInContext(code, context);
          });
        },
      },
    },
  });
  vm.runInContext(fs.readFileSync(new URL('../../themes/default/search.js', import.meta.url), 'utf8'), context);
  return window.hmSearch;
}

function checkWords(table) {
  const read = s => s.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));
  const search = run('.');
  let n = 0;
  for (const line of fs.readFileSync(table, 'utf8').split('\n')) {
    if (line.startsWith('#') || !line.includes('|')) continue;
    const bar = line.lastIndexOf('|');
    const got = search.words(read(line.slice(0, bar))).flatMap(c => c.words.length > 1 ? [...c.words, c.all] : c.words);
    assert.equal(got.join(' '), read(line.slice(bar + 1)), line);
    n++;
  }
  assert(n > 25);
}

// All words of all shards: word -> codes, with a plus where they are not all.
function readAll(folder) {
  const words = new Map(), docs = new Map();
  for (const f of fs.readdirSync(path.join(folder, 'search'))) {
    const code = fs.readFileSync(path.join(folder, 'search', f), 'utf8');
    assert(Buffer.byteLength(code) < (f.startsWith('w-') ? 20600 : f.startsWith('d-') ? 10300 : 30000), f);
    vm.runInNewContext(code, { hmShard: (name, lines) => {
      assert.equal(name + '.js', f);
      if (f.startsWith('d-')) for (const l of lines) docs.set(l[0], l);
      if (!f.startsWith('w-')) return;
      for (const l of lines) {
        const [word, ...runs] = l.split(' ');
        if (word === '*') continue;
        assert(!words.has(word), word);
        const codes = runs.filter(r => r[0] !== '+').flatMap(r => r.slice(1).match(/.{5}/g));
        words.set(word, { codes, all: runs[0][0] !== '+' });
      }
    } });
  }
  return { words, docs };
}

async function checkSite(folder) {
  const search = run(folder), { words, docs } = readAll(folder);
  const begins = t => [...words].filter(([w]) => w.startsWith(t));
  let asked = 0, several = 0;
  const all = [...words.keys()];
  for (let i = 0; i < all.length; i += 1 + Math.floor(all.length / 300)) {
    for (const q of [all[i], all[i].slice(0, 3), all[i] + ' ' + all[(i * 7 + 1) % all.length]]) {
      const want = q.split(' ').map(t => begins(t).concat(search.stem(t) === t ? [] : begins(search.stem(t))));
      const hits = await search.search(q), codes = new Set(hits.map(h => h.code));
      assert.equal(codes.size, hits.length);
      if (hits.more || want.flat().some(([, p]) => !p.all) || q.split(' ').some(t => search.words(t)[0].all !== t)) continue;
      const sets = want.map(w => new Set(w.flatMap(([, p]) => p.codes)));
      const both = [...sets[0]].filter(c => sets.every(s => s.has(c)));
      // A word of which the index has a prefix only, cut: it narrows nothing, and more is found.
      assert(both.every(c => codes.has(c)), q);
      if (q.split(' ').length === 1) assert.deepEqual([...codes].sort(), both.sort(), q);
      several += both.length > 1;
      asked++;
      if (hits[0]) assert(docs.has(hits[0].code) && (await search.doc(hits[0].code))[0] === hits[0].code);
    }
  }
  assert(asked > 30 && several > 5, `${asked} questions, ${several} with several answers`);
  assert.equal(new Set(loaded.map(l => l[0])).size, loaded.length);
  for (const nothing of ['', '   ', 'qqqqq', '!!!', '__proto__', 'constructor', '😀'])
    if (!words.has(nothing)) assert.equal((await search.search(nothing)).length, 0, nothing);
}

// Queries of many words: what each loads, with the documents that it shows first, fits in 100 KB, and
// its answer is the same after others.
async function checkCost(folder) {
  const { words } = readAll(folder), all = [...words.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const warm = run(folder);
  let narrow = 0, left = 0, most = 0;
  for (let i = 0; i < 60; i++) {
    const n = 3 + i % 20, q = Array.from({ length: n }, (_, k) => all[(i * 7919 + k * 104729) % all.length]).join(' ');
    const cold = run(folder);
    loaded.length = 0;
    const hits = await cold.search(q), shown = cold.first(hits, hits.cost.bytes);
    await Promise.all(shown.map(h => cold.doc(h.code)));
    const bytes = loaded.reduce((sum, l) => sum + l[1], 0);
    assert(bytes <= 100000, `${q}: ${bytes} bytes`);
    assert(hits.length === 0 || shown.length > 0, q);
    assert(hits.cost.files.size > 0, q);
    const again = await warm.search(q);
    assert.equal(again.map(h => h.code).join(), hits.map(h => h.code).join(), q);
    assert.equal(again.cost.left.join(), hits.cost.left.join(), q);
    most = Math.max(most, bytes);
    left += hits.cost.left.length > 0;
    narrow += hits.cost.left.length === 0;
  }
  console.log(`most ${most} bytes; ${left} of 60 queries left a word out`);
  assert(left > 5 && narrow > 5, `${left} ${narrow}`);
}

if (what === 'words') checkWords(where);
else if (what === 'cost') await checkCost(where);
else await checkSite(where);
