/* The preview in a browser. preview.py runs it; a name on the command line runs one test.
 * What must be there within a second, where the run is thorough, is in preview_times.mjs. */
import fs from 'node:fs';
import { assert, axe, main, MATERIAL, OVERVIEW, rest, shows, THOROUGH, within } from './preview_kit.mjs';

const get = (url, options = {}) => fetch(url, { redirect: 'manual', ...options, headers: { Accept: 'text/html', ...options.headers } });
const loaded = page => page.waitForEvent('load');

/* A served page without what the preview put into it. */
const stripped = html => html
  .replace(/<link rel="stylesheet" href="[^"]*_serve\.css">\n/, '')
  .replace(/; script-src 'sha256-[^']*'; connect-src 'self'/, '')
  .replace(/(script-src 'self') 'sha256-[^']*'([^"]*); connect-src 'self'/, '$1$2')
  .replace(/<div class="serve-note"[^]*<\/script>\n/, '')
  .replace("form-action 'self'", "form-action 'none'")
  .replace('content="same-origin"', 'content="no-referrer"')
  .replace(/\n<p class="serve-jump">.*<\/p>/, '')
  .replace(/<section class="serve-review"[^]*<\/section>\n/, '');

/* --- what is served ------------------------------------------------------------------ */

async function test_every_file_is_what_build_writes(m) {
  await m.hmirror('build', '--no-sweep');
  const url = await m.serve();
  const built = fs.readdirSync(m.path('site'), { recursive: true }).filter(f => fs.statSync(m.path('site', f)).isFile());
  assert.ok(built.length > 100);
  for (const f of built) {
    const answer = await get(url + f), bytes = Buffer.from(await answer.arrayBuffer()), want = fs.readFileSync(m.path('site', f));
    assert.equal(answer.status, 200, f);
    if (!f.endsWith('.html')) assert.ok(bytes.equals(want), f);
    else assert.equal(stripped(bytes.toString()), want.toString(), f);
  }
}

async function test_what_is_built_has_no_script_and_no_form(m) {
  await m.hmirror('build', '--no-sweep');
  let n = 0;
  for (const f of fs.readdirSync(m.path('site'), { recursive: true })) {
    if (!/\.(html|md|css|js)$/.test(f)) continue;
    n++;
    const text = m.read('site/' + f).replace(/<script src="(\.\.\/)*assets\/(list|search)\.js" defer><\/script>/, '');
    assert.ok(!/<script|<form|<input|<button|serve-/i.test(text), f);
  }
  assert.ok(n > 100);
  assert.ok(!fs.existsSync(m.path('site/assets/serve.css')) && !fs.existsSync(m.path('site/_serve.css')));
}

async function test_types_tags_and_ways(m) {
  m.write('static/shot.png', 'not really');
  m.write('static/CNAME', 'example.org');
  m.write('mirror.yml', m.read('mirror.yml') + 'base_url: https://example.org/mirror/\n');
  const url = await m.serve();
  const types = { '': 'text/html; charset=utf-8', 'README.md': 'text/plain; charset=utf-8', 'assets/style.css': 'text/css; charset=utf-8',
    'assets/icon.svg': 'image/svg+xml', 'health.json': 'application/json', 'shot.png': 'image/png', '.nojekyll': 'application/octet-stream', CNAME: 'application/octet-stream' };
  for (const [f, type] of Object.entries(types)) {
    const answer = await get(url + f), tag = answer.headers.get('etag');
    assert.equal(answer.headers.get('content-type'), type, f);
    assert.match(tag, /^"[0-9a-f]{64}"$/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    const again = await get(url + f, { headers: { 'If-None-Match': tag } });
    assert.equal(again.status, 304, f);
    assert.equal((await again.arrayBuffer()).byteLength, 0);
    const head = await get(url + f, { method: 'HEAD' });
    assert.equal(head.headers.get('etag'), tag);
    assert.equal(head.headers.get('content-length'), String((await answer.arrayBuffer()).byteLength), f);
  }
  const folder = await get(url + 'projects/p05-interferometer');
  assert.equal(folder.status, 302);
  assert.equal(new URL(folder.headers.get('location'), url + 'projects/p05-interferometer').href, url + OVERVIEW);
  for (const missing of ['nowhere', 'a/b/c/d', 'projects/p05-interferometer/nothing.html', '_serve.cssx', 'README.md/']) {
    const answer = await get(url + missing), html = await answer.text();
    assert.equal(answer.status, 404, missing);
    assert.ok(html.includes('There is no such page') && !html.includes('https://example.org/'), missing);
    const program = await get(url + missing, { headers: { Accept: '*/*' } });
    assert.equal(program.status, 404, missing);
    assert.match(program.headers.get('content-type'), /json/);
  }
}

async function test_a_missing_page_is_a_page(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + 'a/b/c/nothing');
  await page.evaluate(() => { window.kept = true; });
  await rest(300);
  assert.equal(await page.evaluate(() => window.kept), true, 'it is not loaded again and again');
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.top')).borderBottomStyle), 'solid', 'it has its style');
  await page.click('text=All projects');
  assert.equal(page.url(), url + 'index.html');
}

/* --- changes --------------------------------------------------------------------------- */

async function test_a_page_that_did_not_change_is_left_alone(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + 'projects/p06-polisher/decisions.html');
  await page.evaluate(() => { window.kept = true; });
  const other = await m.open();
  await other.goto(url + 'projects/p04-gigalink/');
  await m.facts({ kind: 'entity', entity_type: 'Parameter', project: 'p04-gigalink', name: 'x', properties: { parameter_name: 'x', value: '4711' } });
  await shows(other, () => document.body.innerText.includes('4711'));
  await rest(600);
  assert.equal(await page.evaluate(() => window.kept), true);
}

async function test_place_and_focus_are_kept(m) {
  const url = await m.serve(), page = await m.open({ viewport: { width: 1000, height: 600 } });
  await page.goto(url + OVERVIEW + '#health');
  const link = page.locator('main a').last();
  await link.evaluate(e => { e.focus(); scrollTo(0, e.getBoundingClientRect().top + scrollY - 250); });
  const place = () => page.evaluate(() => ({ top: Math.round(document.activeElement.getBoundingClientRect().top), text: document.activeElement.textContent, y: scrollY }));
  const before = await place();
  assert.ok(before.y > 300 && before.text, JSON.stringify(before));
  for (const [what, change, text] of [
    ['what is below changes', () => m.write('templates/partials/footer.html.mustache', '<footer><p>Changed</p><p>and</p><p>longer</p></footer>\n'), 'Changed'],
    ['what is above grows', () => m.facts(...[...'abcdefgh'].map(x => ({ kind: 'project_state', project: 'p05', category: 'decision', key: 'extra ' + x, value: 'value of ' + x }))), 'value of h']]) {
    await change();
    await shows(page, text => document.body.innerText.includes(text), text);
    await page.waitForFunction(top => Math.abs(document.activeElement.getBoundingClientRect().top - top) < 3, before.top).catch(async () => assert.deepEqual(await place(), before, what));
    assert.equal((await place()).text, before.text, what);
  }
  assert.ok((await place()).y > before.y + 50, 'the page has grown above');
}

/* --- mistakes -------------------------------------------------------------------------------- */

async function test_it_starts_with_a_mistake_too(m) {
  m.write('templates/shell.html.mustache', '{{#x}}');
  const url = await m.serve(), page = await m.open();
  assert.equal((await get(url)).status, 503);
  await page.goto(url + OVERVIEW);
  assert.ok((await page.innerText('.serve-problem')).includes('shell.html.mustache:1'));
  assert.deepEqual(await axe(page), []);
  m.remove('templates');
  await shows(page, () => /Interferometer/.test(document.querySelector('h1')?.innerText));
}

async function test_a_mistake_with_hostile_text_is_text(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url);
  m.write('templates/root.md.mustache', '{{>"><img/src=x/onerror=alert(1)>}}');
  await page.waitForSelector('.serve-problem');
  assert.match(await page.innerText('.serve-problem'), /onerror=alert\(1\)/);
  assert.equal(await page.locator('.serve-problem img').count(), 0);
}

async function test_the_server_goes_and_comes_back(m, say) {
  const url = await m.serve_at_a_port(), page = await m.open();
  await within(3, 'it ends, pages that listen do not hold it up', async i => {
    if (i > 0) await m.serve('--port', new URL(url).port);
    await Promise.all([page.waitForResponse(/_events/), page.goto(url + OVERVIEW)]);
    const began = performance.now();
    assert.equal(await m.stop(), 0);
    return Math.round(performance.now() - began);
  }, say);
  await page.waitForSelector('text=hmirror serve does not answer');
  m.write('templates/partials/footer.html.mustache', '<footer><p>While it was away</p></footer>\n');
  await m.serve('--port', new URL(url).port);
  await shows(page, () => document.querySelector('footer').innerText === 'While it was away');
  assert.equal(await page.innerText('#serve-note'), '');
}

async function test_with_a_token(m) {
  const token = 'a'.repeat(32);
  m.write('token', token);
  const url = await m.serve('--token-file', 'token'), page = await m.open({ httpCredentials: { username: 'kim', password: token } });
  assert.equal((await get(url + MATERIAL)).status, 401);
  assert.equal((await get(url + '_events')).status, 401);
  await page.goto(url + MATERIAL);
  await fill(page, { choice: '1' });
  await submit(page, 'See what would change');
  assert.ok(await page.isVisible('.serve-trial'));
  await page.goto(url + OVERVIEW);
  m.write('templates/partials/footer.html.mustache', '<footer><p>Changed</p></footer>\n');
  await shows(page, () => document.querySelector('footer').innerText === 'Changed');
}

async function test_looking_writes_nothing(m) {
  await m.facts({ kind: 'project_state', project: 'p06', category: 'fact', key: 'pitch grade', value: 'No. 99' });
  const url = await m.serve(), before = fs.readFileSync(m.path('hmirror.db'));
  for (const f of ['', OVERVIEW, MATERIAL, 'conflicts/index.html']) assert.equal((await get(url + f)).status, 200);
  await m.stop();
  assert.ok(before.equals(fs.readFileSync(m.path('hmirror.db'))));
}

/* --- the review form ------------------------------------------------------------------------------- */

const ID = /(c[0-9a-f]{12})/.exec(MATERIAL)[1];
const focused = page => page.evaluate(() => document.activeElement.id || document.activeElement.value || document.activeElement.textContent + (document.activeElement.href ?? ''));

/* Presses Tab until what is wanted has the focus. */
async function tab_to(page, is) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab');
    if (is(await focused(page))) return;
  }
  assert.fail(`Tab does not lead there; the focus is at ${await focused(page)}`);
}

async function fill(page, { choice, action, notes = 'The review of May decided so.', by = 'Kim' }) {
  await page.check(`input[name=choice][value="${choice}"]`);
  if (action) await page.check(`input[name=action][value=${action}]`);
  await page.fill('#review-notes', notes);
  await page.fill('#review-by', by);
}
const submit = async (page, text) => {
  const event = loaded(page);
  await page.click(`#review button:text-is("${text}")`);
  await event;
};

async function test_a_whole_review_by_keyboard(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + OVERVIEW);
  await tab_to(page, at => at.startsWith('⚠ disputed') && at.endsWith(MATERIAL));
  await page.keyboard.press('Enter');
  await page.waitForURL(url + MATERIAL);
  await tab_to(page, at => at.startsWith('Settle this conflict'));
  await page.keyboard.press('Enter');
  await tab_to(page, at => at === '1');
  assert.ok(await page.evaluate(() => getComputedStyle(document.activeElement.closest('label')).outlineStyle === 'solid'), 'the focus shows');
  for (const want of ['2', '1']) {
    await page.keyboard.press(want === '2' ? 'ArrowDown' : 'ArrowUp');
    assert.equal(await page.evaluate(() => document.querySelector('[name=choice]:checked').value), want);
  }
  await tab_to(page, at => at === 'supersede_opponents');
  await tab_to(page, at => at === 'review-notes');
  await page.keyboard.type('Test report 12 measured it.');
  await tab_to(page, at => at === 'review-by' || at === 'tester');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Kim');
  await tab_to(page, at => at === 'try');
  let event = loaded(page);
  await page.keyboard.press('Enter');
  await event;
  assert.equal(await focused(page), 'review-answer', 'the focus is where the answer is');
  const trial = await page.innerText('.serve-trial');
  for (const says of ['“GF-PTFE” stands, and 2 other rows are superseded', 'entity:p05-e14', 'does not contradict project_state:p05-s1', 'superseded by project_state:p05-s1', 'projects/p05-interferometer/README.md', 'projects/p05-interferometer/state.md', 'Test report 12 measured it.'])
    assert.ok(trial.includes(says), `${says} in ${trial}`);
  assert.equal((await m.conflict(ID)).status, 'open', 'trying changes nothing');
  await tab_to(page, at => at === 'confirm');
  event = loaded(page);
  await page.keyboard.press('Enter');
  await event;
  assert.equal(await focused(page), 'review-answer');
  assert.match(await page.innerText('.serve-verdict'), /^Resolved by Kim on \d+ [A-Z][a-z]+ \d{4}: GF-PTFE stands\. “Test report 12 measured it\.”$/);
  assert.match(await page.innerText('main'), /Resolved on/, 'the page itself is new');
  const c = await m.conflict(ID);
  assert.deepEqual([c.status, c.action, c.winner, c.resolved_by], ['resolved', 'supersede_opponents', 'project_state:p05-s1', 'Kim']);
  await page.goto(url + OVERVIEW);
  assert.equal(await page.locator(`a.disputed[href*="${ID}"]`).count(), 0, 'the marker is gone');
  await page.goto(url + 'conflicts/cae2b7952c55c.html');
  assert.equal(await page.inputValue('#review-by'), 'Kim', 'the name is remembered');
  assert.deepEqual(page.complaints, []);
}

async function test_change_it_leads_back_with_what_was_typed(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  await fill(page, { choice: '2', action: 'no_action', notes: 'A "quoted" <note> & more' });
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-trial'), /“PEEK” stands\. No row changes\.[^]*A "quoted" <note> & more/);
  await submit(page, 'Change it');
  assert.equal(await page.evaluate(() => document.querySelector('[name=choice]:checked').value + document.querySelector('[name=action]:checked').value), '2no_action');
  assert.equal(await page.inputValue('#review-notes'), 'A "quoted" <note> & more');
  await submit(page, 'See what would change');
  await submit(page, 'Confirm');
  const c = await m.conflict(ID);
  assert.deepEqual([c.status, c.action, c.winner, c.resolution], ['resolved', 'no_action', 'entity:p05-e14', 'A "quoted" <note> & more']);
}

async function test_dismiss_and_reopen(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  assert.ok(await page.isVisible('.serve-others'));
  await fill(page, { choice: 'dismiss', notes: 'Two supports, two materials.' });
  assert.ok(!await page.isVisible('.serve-others'), 'there is no winner, so no others');
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-trial'), /no contradiction. No row changes[^]*Pages that lose the marker[^]*\s+projects/);
  await submit(page, 'Confirm');
  assert.match(await page.innerText('.serve-verdict'), /^Dismissed by Kim/);
  assert.equal((await m.conflict(ID)).status, 'dismissed');
  assert.match(await page.innerText('.serve-jump'), /^Dismissed by Kim on \d+ [A-Z][a-z]+ \d{4}\. Reopen it$/);
  assert.equal(await page.innerText('#review-title'), 'Reopen this conflict');
  assert.ok(!/Settle this conflict/.test(await page.innerText('main')), 'it is settled');
  await page.fill('#review-reason', 'It is one support after all.');
  await submit(page, 'Reopen it');
  assert.ok(await page.isVisible('#review-ask'));
  assert.equal(await page.innerText('.serve-jump'), 'Settle this conflict');
  assert.equal((await m.conflict(ID)).status, 'open');
  await page.goto(url + OVERVIEW);
  assert.ok(await page.locator(`a.disputed[href*="${ID}"]`).count() > 0, 'the marker is back');
}

async function test_what_agrees_again_is_signed_off(m) {
  const url = await m.serve(), page = await m.open();
  await m.hmirror('conflicts', 'resolve', ID, '--winner', 'p05-s1', '--whole-row', '--notes', 'Measured.', '--by', 'Kim');
  await m.hmirror('conflicts', 'reopen', ID, '--reason', 'Of which support?', '--keep-rows', '--by', 'Kim');
  await page.goto(url + MATERIAL);
  await shows(page, () => /awaiting sign-off/.test(document.querySelector('main').innerText));
  assert.match(await page.innerText('#review-ask legend'), /^The claims no longer disagree\. /);
  assert.match(await page.innerText('.serve-choice:has([value=none])'), /^Sign it off\s+Settled as it is; no row changes\.$/);
  assert.ok(!/None of them wins$/m.test(await page.innerText('#review-ask')));
}

async function test_without_a_script(m) {
  const url = await m.serve(), page = await m.open({ javaScriptEnabled: false });
  await page.goto(url + MATERIAL);
  await fill(page, { choice: 'none', notes: 'Both, for now.' });
  await submit(page, 'See what would change');
  await submit(page, 'Confirm');
  assert.match(await page.innerText('.serve-verdict'), /^Resolved by Kim/);
  const c = await m.conflict(ID);
  assert.deepEqual([c.status, c.action, c.winner], ['resolved', 'no_action', null]);
}

async function test_of_two_reviewers_the_second_is_told(m) {
  const url = await m.serve(), page = await m.open(), other = await m.open();
  for (const p of [page, other]) {
    await p.goto(url + MATERIAL);
    await fill(p, { choice: p === page ? '1' : '4', by: p === page ? 'Kim' : 'Lee' });
    await submit(p, 'See what would change');
  }
  await submit(other, 'Confirm');
  await page.waitForSelector('#serve-note :text("Show it as it is now")');   /* it is told before it asks */
  const [answer] = await Promise.all([page.waitForResponse(r => r.request().method() === 'POST'), submit(page, 'Confirm')]);
  assert.equal(answer.status(), 409);
  const told = await page.innerText('.serve-alert');
  for (const says of ['Nothing was changed', 'Lee', 'memory:p05-m1']) assert.ok(told.includes(says), `${says} in ${told}`);
  assert.equal(await focused(page), 'review-answer');
  assert.match(await page.innerText('.serve-verdict'), /^Resolved by Lee/);
  assert.equal((await m.conflict(ID)).winner, 'memory:p05-m1');
}

async function test_what_was_not_seen_is_not_decided(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  await fill(page, { choice: '1' });
  await m.facts({ kind: 'project_state', id: 'new', project: 'p05', category: 'decision', key: 'lateral support material', value: 'Invar' });
  await page.waitForSelector('#serve-note :text("Show it as it is now")');
  assert.equal(await page.inputValue('#review-notes'), 'The review of May decided so.', 'what was typed stays');
  const [answer] = await Promise.all([page.waitForResponse(r => r.request().method() === 'POST'), submit(page, 'See what would change')]);
  assert.equal(answer.status(), 409);
  assert.match(await page.innerText('#review'), /the claims have changed since you looked[^]*Invar/i);
  assert.equal(await page.locator('[name=choice]:checked').count(), 0);
  assert.equal(await page.inputValue('#review-notes'), 'The review of May decided so.');
}

async function test_a_form_of_another_run_is_refused(m) {
  const url = await m.serve_at_a_port(), page = await m.open();
  await page.goto(url + MATERIAL);
  await fill(page, { choice: '1' });
  await m.stop();
  await m.serve('--port', new URL(url).port);
  const [answer] = await Promise.all([page.waitForResponse(r => r.request().method() === 'POST'), submit(page, 'See what would change')]);
  assert.equal(answer.status(), 403);
  assert.match(await page.innerText('.serve-alert'), /from before hmirror serve was started/);
  await submit(page, 'See what would change');
  assert.ok(await page.isVisible('.serve-trial'));
  const body = new URLSearchParams({ token: '0'.repeat(32), step: 'confirm', choice: '1', action: 'supersede_others', notes: 'x', by: 'x' });
  const post = headers => get(url + MATERIAL, { method: 'POST', body, headers });
  assert.equal((await post({})).status, 403);
  assert.equal((await post({ Origin: 'https://evil.example' })).status, 403);
  assert.equal((await m.conflict(ID)).status, 'open');
}

async function test_mistakes_of_the_reviewer(m) {
  const url = await m.serve(), html = await (await get(url + MATERIAL)).text();
  const token = /name="token" value="(\w+)"/.exec(html)[1], seen = /name="seen" value="(\w+)"/.exec(html)[1];
  const send = async fields => {
    const answer = await get(url + MATERIAL, { method: 'POST', body: new URLSearchParams({ token, seen, step: 'confirm', choice: '1', action: 'no_action', notes: 'n', by: 'b', ...fields }) });
    return [answer.status, await answer.text()];
  };
  for (const [fields, status, says] of [
    [{ by: ' ' }, 422, 'Your name'], [{ by: 'a\u202eb' }, 422, 'hidden character'], [{ by: 'x'.repeat(201) }, 422, 'Your name'],
    [{ choice: '' }, 422, 'no claim was chosen'], [{ choice: '99' }, 422, 'no claim was chosen'], [{ choice: 'dismiss', notes: '  ' }, 422, 'reason'],
    [{ step: 'reopen' }, 409, ''], [{ step: 'nonsense' }, 200, 'Which claim stands?'], [{ seen: 'x' }, 409, 'changed since']]) {
    const [code, text] = await send(fields);
    assert.equal(code, status, JSON.stringify(fields));
    assert.ok(text.includes(says), `${says} for ${JSON.stringify(fields)}`);
    assert.ok(text.includes('id="review"'));
  }
  assert.equal((await get(url + 'conflicts/cffffffffffff.html', { method: 'POST', body: new URLSearchParams({ token }) })).status, 405);
  assert.equal((await get(url + MATERIAL, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } })).status, 415);
  assert.equal((await m.conflict(ID)).status, 'open');
}

async function test_a_dispute_that_is_not_recorded_yet(m) {
  await m.facts({ kind: 'project_state', id: 'zz1', project: 'p06', category: 'fact', key: 'quench medium', value: 'water' },
    { kind: 'entity', id: 'zz2', entity_type: 'Parameter', project: 'p06', name: 'quench medium', properties: { parameter_name: 'quench medium', value: 'oil' } });
  const url = await m.serve(), page = await m.open();
  await page.goto(url + 'projects/p06-polisher/');
  await page.locator('li:has-text("quench medium") a.disputed, tr:has-text("quench medium") a.disputed').first().click();
  await page.waitForURL(/conflicts/);
  const id = /(c[0-9a-f]{12})/.exec(page.url())[1], before = fs.readFileSync(m.path('hmirror.db'));
  await fill(page, { choice: '1' });
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-trial'), /“water” stands, and 1 other row is superseded/);
  assert.ok(before.equals(fs.readFileSync(m.path('hmirror.db'))), 'trying writes nothing');
  await submit(page, 'Confirm');
  assert.equal((await m.conflict(id)).status, 'resolved');
}

/* The form asks what becomes of a row that also says other things, also where no script runs. */
async function test_a_row_that_says_more(m) {
  await m.facts({ kind: 'project_state', id: 'zz1', project: 'p06', category: 'fact', key: 'frame leg mass', value: '5 kg' },
    { kind: 'entity', id: 'zz2', entity_type: 'Component', project: 'p06', name: 'leg', properties: { subsystem_name: 'frame', component_name: 'leg', mass: '4.8 kg', vendor: 'ACME' } });
  await m.hmirror('sweep');
  const id = JSON.parse(await m.hmirror('--format', 'json', 'conflicts', 'list', '--touching', 'zz2')).conflicts[0].id;
  const url = await m.serve(), page = await m.open({ javaScriptEnabled: false });
  await page.goto(url + `conflicts/${id}.html`);
  assert.match(await page.innerText('label:has-text("4.8 kg")'), /also says vendor/);
  assert.ok(await page.isVisible('.serve-scope'));
  await fill(page, { choice: '1' });
  await submit(page, 'See what would change');
  assert.match(await page.innerText('[role=alert]'), /entity:zz2: it also says vendor[^]*--field-only/i);
  assert.equal(await page.evaluate(() => document.querySelector('[name=choice]:checked').value), '1', 'what was typed stays');
  await page.check('[name=scope][value=field_only]');
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-trial'), /“5 kg” stands, and 1 other value goes away\.[^]*mass = 4\.8 kg → taken out of the row/);
  assert.ok(!(await page.innerText('.serve-trial')).includes('ACME'));
  await submit(page, 'Confirm');
  const c = await m.conflict(id);
  assert.deepEqual([c.status, c.scope, c.members.map(x => x.removed ?? false)], ['resolved', 'field_only', [false, true]]);
  assert.match(await page.innerText('main'), /Taken out of its row: mass of leg \(4\.8 kg\)/);
}

async function test_keep_both_knowingly(m) {
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  await page.check('input[name=choice][value="1"]');
  assert.ok(!await page.isVisible('.serve-link'), 'one of them wins');
  await fill(page, { choice: 'none', notes: 'Both, for now.' });
  await page.check('[name=link]');
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-trial'), /project_state:p05-s1 contradicts entity:p05-e14/);
  await submit(page, 'Confirm');
  const links = (await m.hmirror('export')).split('\n').filter(x => x.includes('"rel":"contradicts"'));
  assert.ok(links.length >= 1 && links.some(x => x.includes('project_state:p05-s1')), links.join());
}

async function test_hostile_facts_are_text(m) {
  const evil = '</main></body><script>window.bad = 1</script><img src=x onerror="window.bad=1">"\'{{token}}{{{x}}}\u202e';
  await m.facts({ kind: 'entity', id: 'e"><script>window.bad=1</script>', entity_type: 'Decision', project: 'p05', name: evil,
    properties: { decision_target: 'lateral support', decision_field: 'material', value: evil }, source_refs: [evil] });
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  assert.match(await page.innerText('#review'), /<\/main><\/body><script>window\.bad/);
  const n = await page.locator('[name=choice]').count();
  await fill(page, { choice: String(n - 2), notes: evil.replace('\u202e', ''), by: 'Kim <b>' });
  await page.locator('label:has-text("window.bad") [name=choice]').check();
  await submit(page, 'See what would change');
  assert.match(await page.innerText('.serve-sum'), /onerror=/);
  await submit(page, 'Confirm');
  assert.match(await page.innerText('.serve-verdict'), /^Resolved by Kim <b>[^]*<script>/);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.equal(await page.evaluate(() => document.scripts.length), 1);
  assert.deepEqual(page.complaints, []);
}

async function test_withheld_claims_are_shown_to_who_decides(m) {
  m.write('mirror.yml', 'publish:\n  exclude:\n    types: [knowledge]\n');
  const url = await m.serve(), page = await m.open();
  await page.goto(url + MATERIAL);
  assert.match(await page.innerText('main'), /1 claim withheld/);
  assert.match(await page.innerText('label:has-text("memory:p05-m1")'), /PTFE[^]*not published/);
}

/* --- looks ----------------------------------------------------------------------------------------------- */

async function test_the_form_is_on_the_first_screen(m) {
  const url = await m.serve(), page = await m.open({ viewport: { width: 1280, height: 900 } });
  for (const path of [MATERIAL, 'conflicts/cae2b7952c55c.html']) {
    await page.goto(url + path);
    const box = await page.locator('#review input[name=choice]').nth(1).boundingBox();
    assert.ok(box && box.y + box.height < 900, `${path}: two claims can be chosen without a scroll, ${JSON.stringify(box)}`);
    assert.equal(await page.locator('.do #review').count(), 1, 'beside the claims');
  }
}

async function test_every_width_and_scheme_and_axe(m) {
  const rules = (id, from, valid_from, valid_until) => ({ kind: 'relation', id, project: 'realm', type: 'RULES', from, to: 'keep', valid_from, valid_until });
  await m.facts({ kind: 'entity', id: 'keep', entity_type: 'Location', project: 'realm', name: 'Keep', properties: { founded: '1200' } },
    rules('rr1', 'ann', '1300', '1340'), rules('rr2', 'bob', '1330', 'about 1350'));
  const url = await m.serve();
  for (const colorScheme of ['light', 'dark']) {
    const page = await m.open({ colorScheme }), ours = ['conflict', 'opened', 'trial', 'alert'];   /* all others look as they are built */
    for (const [name, path, steps] of [['overview', OVERVIEW], ['conflict', MATERIAL], ['opened', MATERIAL, () => page.click('summary')], ['findings', 'findings/'], ['sources', 'sources/'],
      ['entity', OVERVIEW + 'entities/component/leg.html'], ['ruled', 'projects/realm/entities/location/keep.html'], ['trial', MATERIAL, async () => { await fill(page, { choice: '1' }); await submit(page, 'See what would change'); }],
      ['alert', MATERIAL, async () => { await fill(page, { choice: '1', by: '\u202e' }); await submit(page, 'See what would change'); }]]) {
      if (!THOROUGH && !ours.includes(name)) continue;
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.goto(url + path);
      if (steps) await steps();
      for (const width of [360, 768, 1200]) {
        await page.setViewportSize({ width, height: 740 });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `${name} is wider than ${width}`);
      }
      assert.deepEqual(await axe(page), [], `${name}, ${colorScheme}`);
    }
    assert.deepEqual(page.complaints.filter(c => !c.includes('422')), []);
  }
}

await main({
  test_a_whole_review_by_keyboard, test_change_it_leads_back_with_what_was_typed, test_dismiss_and_reopen, test_what_agrees_again_is_signed_off, test_without_a_script,
  test_of_two_reviewers_the_second_is_told, test_what_was_not_seen_is_not_decided, test_a_form_of_another_run_is_refused,
  test_mistakes_of_the_reviewer, test_a_dispute_that_is_not_recorded_yet, test_a_row_that_says_more, test_keep_both_knowingly, test_hostile_facts_are_text,
  test_withheld_claims_are_shown_to_who_decides, test_the_form_is_on_the_first_screen, test_every_width_and_scheme_and_axe,
  test_every_file_is_what_build_writes, test_what_is_built_has_no_script_and_no_form, test_types_tags_and_ways,
  test_a_missing_page_is_a_page, test_a_page_that_did_not_change_is_left_alone,
  test_place_and_focus_are_kept, test_it_starts_with_a_mistake_too,
  test_a_mistake_with_hostile_text_is_text, test_the_server_goes_and_comes_back, test_with_a_token, test_looking_writes_nothing,
});
