/* Lighthouse on pages, each as on a phone and as on a desk, in one browser: node pages.mjs FOLDER <URLS
 * FOLDER: where its packages are. URLS: one a line. A line of JSON for each URL and form:
 * {url, form, scores: {category: 0 to 100}, why: [audits that cost points]}. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.resolve(process.argv[2]) + '/');
const load = async name => import(pathToFileURL(require.resolve(name)));
const { default: lighthouse, desktopConfig } = await load('lighthouse');
const { launch } = await load('chrome-launcher');
const CATEGORIES = ['accessibility', 'best-practices'];

const chrome = await launch({ chromeFlags: ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
const flags = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: 'error' };
for (const url of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  for (const [form, config] of [['phone', undefined], ['desk', desktopConfig]]) {
    const { lhr } = await lighthouse(url, flags, config);
    const scores = {}, why = [];
    for (const c of CATEGORIES) {
      scores[c] = Math.round(100 * (lhr.categories[c].score ?? 0));
      for (const { id, weight } of lhr.categories[c].auditRefs) {
        const { score } = lhr.audits[id];
        if (weight && score !== null && score < 1) why.push(id);
      }
    }
    console.log(JSON.stringify({ url, form, scores, why }));
  }
}
await chrome.kill();
