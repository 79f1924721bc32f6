// Reads a mirror's Markdown as other programs do: node readers.mjs NPM SITE
// Each page must have the tags, links and text that hmirror's own HTML of it has: so nothing in it
// is the work of a fact. Prints what differs, a line each; exit 1. Says how many pages it read.
import { createRequire } from "node:module";
import { join } from "node:path";
import { readFileSync, readdirSync } from "node:fs";

const need = createRequire(join(process.argv[2], "package.json"));
const { Marked } = need("marked");
const MarkdownIt = need("markdown-it");
const site = process.argv[3];

const markdownIt = (preset, options, linkify) => {
  const md = new MarkdownIt(preset, options);
  if (linkify) md.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true });
  return (text) => md.render(text);
};
const marked = (options) => {
  const m = new Marked(options);
  return (text) => m.parse(text);
};
// html: raw HTML goes through, so the program's own anchors are nodes. words: the text stays as it
// is.
const readers = [
  { name: "marked", read: marked({}), html: true, words: true },
  { name: "marked, breaks", read: marked({ gfm: true, breaks: true }), html: true, words: true },
  { name: "markdown-it", read: markdownIt("default", {}), html: false, words: true },
  { name: "markdown-it, html and linkify", read: markdownIt("default", { html: true, linkify: true }, true), html: true, words: true },
  { name: "markdown-it, linkify without html", read: markdownIt("default", { linkify: true }, true), html: false, words: true },
  { name: "markdown-it, everything", html: true, words: false,
    read: markdownIt("default", { html: true, linkify: true, typographer: true, breaks: true, xhtmlOut: true }, true) },
];

const names = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const decode = (s) => s.replace(/&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi, (all, hex, dec, name) =>
  hex ? String.fromCodePoint(parseInt(hex, 16)) : dec ? String.fromCodePoint(+dec) : names[name] ?? all);

const ANCHOR = /<a id="[a-z0-9-]+"><\/a>/g;
const SHOWN_ANCHOR = /&lt;a id=&quot;[a-z0-9-]+&quot;&gt;&lt;\/a&gt;/g;
// What folds on a page of ours, where raw HTML is text.
const SHOWN_FOLD = /<p>&lt;details&gt;(?:<br\s*\/?>)?\n&lt;summary&gt;([A-Za-z ]+)&lt;\/summary&gt;<\/p>([^]*?)<p>&lt;\/details&gt;<\/p>/g;
// Boxes and times of ours: comments and tags that a git host leaves out or keeps; elsewhere they are text.
const MARKS = /<!-- (?:begin|end) [a-z]+ -->|<time datetime="[0-9TZ:.+-]+"(?: title="[0-9TZ:.+-]+")?>|<\/time>/g;
const SHOWN_MARKS = /&lt;!-- (?:begin|end) [a-z]+ --&gt;|&lt;time datetime=(?:&quot;|[“”"])[0-9TZ:.+-]+(?:&quot;|[“”"])&gt;|&lt;\/time&gt;/g;
// The box in which a wide drawing scrolls, and the room that it keeps, in our HTML.
const FRAME = /<span class="scrolls"[^>]*>(?:<svg class="room"[^>]*><\/svg>)?(<img [^>]*>)<\/span>/g;
const TAG = /<(\/?)([a-zA-Z!?][^\s>\/]*)([^>]*)>/g;

// What a tag is to this test: its name and where it leads. Paragraphs and the frames of tables are
// the taste of each program.
const same = new Set(["p", "div", "br"]);
const tagWords = (close, name, rest, problems) => {
  name = name.toLowerCase();
  if (same.has(name)) return null;
  if (close) return `/${name}`;
  if (/\bon[a-z]+\s*=/i.test(rest.replace(/"[^"]*"/g, '""'))) problems.push(`a handler: <${name}${rest}>`);
  const href = rest.match(/\bhref="([^"]*)"/);
  const src = rest.match(/\bsrc="([^"]*)"/);
  const to = href ? " " + page(decode(href[1])) : src ? " " + src[1] : "";
  return name + to;
};
// Links lead to the Markdown in one, to the HTML in the other.
const page = (url) => (/^[a-z]+:/i.test(url) ? decodeURI(url) : url.replace(/(^|\/)README\.md(?=#|$)/, "$1index.html").replace(/\.md(?=#|$)/, ".html"));

const view = (html, problems) => {
  const tags = [];
  let text = "";
  let at = 0;
  html = html.replace(ANCHOR, "").replace(MARKS, "").replace(/<code>@<\/code>/g, "@");
  for (const m of html.matchAll(TAG)) {
    text += html.slice(at, m.index);
    at = m.index + m[0].length;
    const words = tagWords(m[1], m[2], m[3], problems);
    if (words) tags.push(words);
    if (!/^(a|strong|em|code)$/i.test(m[2])) text += " ";
  }
  text += html.slice(at);
  return { tags, text: decode(text).replace(/\s+/g, " ").trim() };
};

const first = (a, b) => {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
};

// Where a page begins that only Markdown has: the trail and what made it, which HTML has elsewhere.
const TAIL = "<!-- begin markdown -->";
const mayEnd = new Set(["hr", "a", "/a", "blockquote", "/blockquote"]);

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((f) => f.isFile() && f.name.endsWith(".md")).map((f) => join(f.parentPath ?? f.path, f.name)).sort();
const bad = [];
for (const file of files) {
  const whole = readFileSync(file, "utf8"), cut = whole.lastIndexOf(TAIL);
  const md = whole.slice(0, cut), tail = whole.slice(cut);
  const shell = readFileSync(file.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"), "utf8");
  const ours = view(shell.slice(shell.indexOf("<main"), shell.indexOf("</main>")).replace(/^<main[^>]*>/, "").replace(FRAME, "$1"), []);
  for (const reader of readers) {
    const problems = [];
    let html = reader.read(md);
    if (!reader.html) html = html.replace(SHOWN_ANCHOR, "").replace(SHOWN_MARKS, "").replace(SHOWN_FOLD, "<details><summary>$1</summary>$2</details>");
    const theirs = view(html, problems);
    const t = first(ours.tags, theirs.tags);
    if (t < Math.max(ours.tags.length, theirs.tags.length))
      problems.push(`tag ${t}: <${theirs.tags[t]}>, not <${ours.tags[t]}>, after ${theirs.tags.slice(Math.max(0, t - 3), t).join(" ")}`);
    const w = first(ours.text, theirs.text);
    if (reader.words && w < Math.max(ours.text.length, theirs.text.length))
      problems.push(`text: ${JSON.stringify(theirs.text.slice(Math.max(0, w - 40), w + 40))}, not ${JSON.stringify(ours.text.slice(Math.max(0, w - 40), w + 40))}`);
    for (const tag of view(reader.read(tail), problems).tags) {
      const to = tag.startsWith("a ") ? tag.slice(2) : "";
      if (!mayEnd.has(tag.split(" ")[0]) || (to && !shell.includes(`href="${to}"`))) problems.push(`at the end: <${tag}>`);
    }
    for (const p of problems) bad.push(`${reader.name}: ${file.slice(site.length + 1)}: ${p}`);
  }
}
console.log(`${files.length} pages, ${readers.length} readers`);
for (const b of bad.slice(0, 20)) console.log(b);
process.exit(bad.length ? 1 : 0);
