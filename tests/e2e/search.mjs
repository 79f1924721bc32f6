// themes/default/search.js without a browser: node search.mjs words TABLE; node search.mjs site FOLDER.
// words: its words are those of the table. site: what it answers from the shards of a site is what
// one finds by reading all shards; no file that it loads is over 100 KB, none is loaded twice.
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
    assert(Buffer.byteLength(code) < 100000, f);
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

if (what === 'words') checkWords(where);
else await checkSite(where);
