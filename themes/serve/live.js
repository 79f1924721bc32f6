/* Shows this page anew when `hmirror serve` has made it anew. It reads the page's version and an event stream, and
 * sends nothing. What a reviewer has typed is never thrown away. */
(() => {
  'use strict';
  const me = document.currentScript, { version, root } = me.dataset, note = document.getElementById('serve-note');
  const place = 'hmirror-place:' + location.pathname;
  const alike = html => [...document.querySelectorAll('a[href], button, input, textarea, [tabindex]')].filter(e => e.outerHTML === html);
  let typed = me.hasAttribute('data-answer'), stream, lost, again, reloads = false;

  const say = (text, label) => {
    const link = document.createElement('a');
    link.href = location.pathname;
    link.textContent = label;
    note.replaceChildren(text, ...(label ? [' ', link] : []));
  };

  /* Where the reader is: by the nearest thing above that has a name, since what is above it may grow. */
  const keep = () => {
    const named = [...document.querySelectorAll('main [id]')].filter(e => e.getBoundingClientRect().top <= 80).pop();
    const is = document.activeElement?.outerHTML;
    reloads = true;
    sessionStorage.setItem(place, JSON.stringify({
      y: scrollY, id: named?.id, top: named?.getBoundingClientRect().top, is, nth: alike(is).indexOf(document.activeElement) }));
  };
  const back = () => {
    const was = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    if (!was) return;
    sessionStorage.removeItem(place);
    const named = was.id && document.getElementById(was.id);
    scrollTo({ top: named ? scrollY + named.getBoundingClientRect().top - was.top : was.y, behavior: 'instant' });
    alike(was.is)[was.nth]?.focus({ preventScroll: true });
  };

  const check = async () => {
    const now = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', headers: { Accept: 'text/html' } });
    if (now.headers.get('etag') === `"${version}"`) return;
    if (typed) return say('This page has changed since.', 'Show it as it is now');
    keep();
    location.reload();
  };

  /* A browser opens few connections to one host: pages that nobody sees hold none. */
  const listen = () => {
    clearTimeout(again);
    stream?.close();
    if (document.hidden) return;
    stream = new EventSource(root + '_events');
    stream.onmessage = () => check().catch(() => {});
    stream.onopen = () => {
      clearTimeout(lost);
      if (lost) note.replaceChildren();
      lost = 0;
    };
    stream.onerror = () => {
      lost ||= setTimeout(say, 1500, 'hmirror serve does not answer. This page comes back to life when it does.');
      if (stream.readyState === EventSource.CLOSED) again = setTimeout(listen, 2000);
    };
  };

  document.addEventListener('input', e => { typed ||= !!e.target.closest('#review'); });
  document.addEventListener('visibilitychange', listen);
  addEventListener('pagehide', () => {
    stream?.close();
    history.scrollRestoration = reloads ? 'manual' : 'auto';
  });
  addEventListener('pageshow', e => { if (e.persisted) listen(); });
  addEventListener('load', back);
  listen();
})();
