/* What the preview shows within a second, where the run is thorough. preview_times.py runs it; a name on the command line runs
 * one test. tests/run.sh then runs it alone, after all others: beside them a second passes with other work. */
import fs from 'node:fs';
import { assert, main, OVERVIEW, since, within } from './preview_kit.mjs';

async function test_a_change_is_seen_within_a_second(m, say) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + OVERVIEW);
  /* change and undo get the number of the attempt; a change that is made again must be another one, or be undone before */
  const seen = async (what, change, there, undo = null, undone = null) => within(1, what, async i => {
    if (i > 0 && undo) await since(page, () => undo(i), undone);
    return since(page, () => change(i), there, i);
  }, say);
  const footer = (text, name = 'templates/partials/footer.html.mustache') => m.write(name, `<footer><p>${text}</p></footer>\n`);
  const parameter = (id, value) => ({ kind: 'entity', id, entity_type: 'Parameter', project: 'p05', name: 'bias', properties: { parameter_name: 'bias', value } });
  await seen('a fact', i => m.facts(parameter('bias', `${170 + i} V`)), i => document.body.innerText.includes(`${170 + i} V`));
  await seen('a template', i => footer(`A foot of ours ${i}`), i => document.querySelector('footer').innerText === `A foot of ours ${i}`);
  await seen('a template in place of another', i => { footer(`Another one ${i}`, 'new'); fs.renameSync(m.path('new'), m.path('templates/partials/footer.html.mustache')); },
    i => document.querySelector('footer').innerText === `Another one ${i}`);
  await seen('a template that goes', () => m.remove('templates'), () => document.querySelector('footer').innerText.includes('hmirror'),
    () => footer('Back'), () => document.querySelector('footer').innerText === 'Back');
  await seen('the theme', i => m.write('theme/style.css', `body { background: rgb(1, 2, ${3 + i}) }`),
    i => getComputedStyle(document.body).backgroundColor === `rgb(1, 2, ${3 + i})`);
  await seen('mirror.yml', i => m.write('mirror.yml', m.read('mirror.yml').replace(/^title:.*/m, `title: Quite Another ${i}`)),
    i => document.querySelector('.home').innerText === `Quite Another ${i}`);
  await page.goto(url + 'nothing.html');
  await seen('a static file', i => m.write('static/nothing.html', `<!doctype html><title>x</title><p>It has come ${i}`),
    i => document.body.innerText.includes(`It has come ${i}`));
  const old = m.server.p.pid;
  await m.hmirror('export', '-o', 'all.jsonl');
  await page.goto(url + OVERVIEW);
  await seen('another store in its place', async i => {
    await m.hmirror('--store', 'other.db', 'import', 'all.jsonl');
    fs.writeFileSync(m.path('extra.jsonl'), JSON.stringify({ kind: 'project', id: 'p05-interferometer', name: `Renamed ${i}` }) + '\n');
    await m.hmirror('--store', 'other.db', 'import', 'extra.jsonl', '--source', '1-projects.jsonl');
    fs.renameSync(m.path('other.db'), m.path('hmirror.db'));
  }, i => document.querySelector('h1').innerText.includes(`Renamed ${i}`));
  assert.equal(m.server.p.pid, old);
  assert.deepEqual(page.complaints.filter(c => !c.includes('404')), []);
}

async function test_a_mistake_is_shown_and_goes_away(m, say) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + OVERVIEW);
  const mistakes = [
    ['templates/overview.md.mustache', '# {{title}}\n\n{{#project}}\n', ['templates/overview.md.mustache:3', 'close it']],
    ['templates/partials/marker.md.mustache', '[disputed]({{url}})\n', ['no page has a marker']],
    ['mirror.yml', m.read('mirror.yml') + 'tilte: x\n', ['mirror.yml', 'tilte', 'unknown key']],
  ];
  for (const [file, text, says] of mistakes) {
    const old = fs.existsSync(m.path(file)) ? m.read(file) : null;
    const shown = () => document.querySelector('.serve-problem') !== null, gone = () => document.querySelector('.serve-problem') === null;
    const mend = () => old === null ? m.remove(file) : m.write(file, old);
    await within(1, file, async i => {
      if (i > 0) await since(page, mend, gone);
      return since(page, () => m.write(file, text), shown);
    }, say);
    const told = await page.innerText('.serve-problem');
    for (const word of says) assert.ok(told.includes(word), `${word} in ${told}`);
    assert.ok(await page.innerText('h1'), 'the page before it is still there');
    await within(1, `${file} mended`, async i => {
      if (i > 0) await since(page, () => m.write(file, text), shown);
      return since(page, mend, gone);
    }, say);
  }
  fs.renameSync(m.path('hmirror.db'), m.path('away.db'));
  await page.waitForSelector('.serve-problem');
  assert.ok((await page.innerText('.serve-problem')).includes('there is no such file'));
  fs.renameSync(m.path('away.db'), m.path('hmirror.db'));
  await page.waitForSelector('.serve-problem', { state: 'detached' });
  assert.deepEqual(page.complaints, []);
}

await main({ test_a_change_is_seen_within_a_second, test_a_mistake_is_shown_and_goes_away }, 1);
