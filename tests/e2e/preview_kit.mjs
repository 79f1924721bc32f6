/* What preview.mjs and preview_times.mjs test with: a mirror in a folder of its own, `hmirror serve` on it, a browser, TAP. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(process.env.HM_NPM + '/');
const { chromium } = require('playwright-core');
export const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const TOP = path.resolve(path.dirname(new URL(import.meta.url).pathname), '../..');
/* `make check THOROUGH=1`: what must come within a second is held to it. */
export const THOROUGH = process.env.THOROUGH === '1' && !process.env.HM_WATCHED;
export const MATERIAL = 'conflicts/cdd82452e7da6.html';
export const OVERVIEW = 'projects/p05-interferometer/';
const HMIRROR = process.env.HMIRROR, AT_ONCE = 3, ATTEMPTS = 10;
const HANGS = 300000;   /* what is waited for and comes, comes before, however busy the machine is */
const SANITIZERS = Object.fromEntries(Object.entries(process.env).filter(([n]) => /^(A|L|T|UB)SAN_OPTIONS$/.test(n)));
const run = promisify(execFile);

export const rest = ms => new Promise(done => setTimeout(done, ms));

let browser;   /* one for all tests */

/* A copy of site-example, swept. */
export class Mirror {
  constructor() {
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hm-preview-'));
    this.env = { PATH: process.env.PATH, HOME: this.dir, USER: 'tester', TZ: 'UTC', ...SANITIZERS };
    this.servers = [];
    this.pages = [];
  }
  path(...parts) { return path.join(this.dir, ...parts); }
  write(name, text) {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), text);
  }
  read(name) { return fs.readFileSync(this.path(name), 'utf8'); }
  remove(name) { fs.rmSync(this.path(name), { recursive: true }); }
  async hmirror(...args) { return (await run(HMIRROR, args, { cwd: this.dir, env: this.env, maxBuffer: 1 << 28 })).stdout; }
  async fill() {
    fs.copyFileSync(path.join(TOP, 'site-example/mirror.yml'), this.path('mirror.yml'));
    const facts = path.join(TOP, 'site-example/facts');
    await this.hmirror('import', ...fs.readdirSync(facts).sort().map(f => path.join(facts, f)));
    await this.hmirror('sweep');
    return this;
  }
  async facts(...records) {
    this.write('more.jsonl', records.map(r => JSON.stringify(r) + '\n').join(''));
    await this.hmirror('import', 'more.jsonl');
  }
  async conflict(id) { return JSON.parse(await this.hmirror('--format', 'json', 'conflicts', 'show', id)); }
  /* Starts the server and gives its address. */
  async serve(...args) {
    const p = spawn(HMIRROR, ['serve', '--port', '0', ...args], { cwd: this.dir, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const server = { p, said: '' };
    this.servers.push(server);
    server.url = await new Promise((found, failed) => {
      const hear = text => {
        server.said += text;
        const m = /http:\/\/[^\s]+/.exec(server.said);
        if (m) found(m[0]);
      };
      p.stdout.on('data', hear);
      p.stderr.on('data', hear);
      p.on('exit', code => failed(new Error(`hmirror serve: exit ${code}: ${server.said}`)));
    });
    this.server = server;
    return server.url;
  }
  /* The same with a port that stays its own while no server is at it: below those that are given to who asks for any. */
  async serve_at_a_port() {
    for (let i = 0; ; i++) {
      try {
        return await this.serve('--port', String(10000 + Math.floor(Math.random() * 20000)));
      } catch (e) {
        if (i === 9) throw e;
        this.servers.pop();
      }
    }
  }
  async stop(server = this.server) {
    if (server.p.exitCode !== null) return server.p.exitCode;
    const ended = new Promise(done => server.p.once('exit', done));
    server.p.kill('SIGTERM');
    return ended;
  }
  /* A window on it, of its own; what goes wrong in it is kept in `complaints`. */
  async open(options = {}) {
    browser ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'], timeout: 2 * HANGS });
    const context = await (await browser).newContext({ viewport: { width: 1200, height: 800 }, ...options });
    const page = await context.newPage();
    this.pages.push(page);
    page.complaints = [];
    page.on('console', m => { if (m.type() !== 'log') page.complaints.push(m.text()); });
    page.on('pageerror', e => page.complaints.push(e.message));
    page.setDefaultTimeout(HANGS);
    return page;
  }
  /* Ends its windows and servers; each must end well. */
  async end() {
    for (const page of this.pages) await page.context().close();
    for (const s of this.servers) assert.equal(await this.stop(s), 0, s.said);
  }
  async close() {
    await this.end().catch(() => 0);
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

/* Waits until there(what), which looks at the page, is true; the page may be loaded anew meanwhile. */
export const shows = (page, there, what = undefined) => page.waitForFunction(there, what, { polling: 20 });

/* A change, and how long until it is to be seen on the page, in ms; as for shows. */
export async function since(page, change, there, what = undefined) {
  await change();
  const at = performance.now();
  await shows(page, there, what);
  return Math.round(performance.now() - at);
}

/* Where the run is thorough one of a few attempts takes less time: the machine may be busy for one, and what waits too long, or
 * makes too much anew, fails them all. Elsewhere one attempt, that ends. attempt: from its number to what it took, in ms. */
export async function within(seconds, what, attempt, say) {
  const took = [], limit = THOROUGH ? 1000 * seconds : Infinity;
  while (took.length < ATTEMPTS && !(took.at(-1) < limit)) {
    await rest(500 * took.length);   /* longer and longer, to get past what it is busy with */
    took.push(await attempt(took.length));
  }
  assert.ok(took.at(-1) < limit, `${what}: after ${took.join(', ')} ms`);
  say(`${what}: after ${took.join(', ')} ms`);
}

export async function axe(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.nodes.map(n => n.html).join(' ').slice(0, 300)}`);
}

/* Runs the tests named on the command line, or all, a few at a time; TAP on standard output. */
export async function main(tests, at_once = AT_ONCE) {
  const wanted = process.argv.slice(2), all = Object.entries(tests).filter(([n]) => !wanted.length || wanted.includes(n));
  const script = path.basename(process.argv[1]);
  let bad = 0, next = 0, done = 0;
  const one = async ([name, test]) => {
    const m = new Mirror(), start = performance.now(), says = [];
    try {
      await m.fill();
      await test(m, text => says.push(text));
      await m.end();
      console.log(`ok ${++done} - ${script} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (e) {
      bad++;
      console.log(`not ok ${++done} - ${script} ${name}\n${(e.stack ?? String(e)).split('\n').map(x => '# ' + x).join('\n')}`);
    }
    for (const text of says) console.log(`# ${text}`);
    await m.close();
  };
  console.log(`1..${all.length}`);
  await Promise.all(Array.from({ length: at_once }, async () => { while (next < all.length) await one(all[next++]); }));
  await (await browser)?.close();
  process.exit(bad ? 1 : 0);
}
export { assert };
