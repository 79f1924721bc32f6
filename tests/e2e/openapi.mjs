// Holds answers against an OpenAPI document: node openapi.mjs NPM <{"document":..., "seen":[...]}
// The document must be valid by the official meta-schema, and type every property; each answer of one of its operations must have a status and a
// body that it names, each accepted body be one that it allows; each operation must have been seen with each status that it
// names but those of a store in use. Prints what does not hold, a line each; exit 1.
import { createRequire } from "node:module";
import { join } from "node:path";

const need = createRequire(join(process.argv[2], "package.json"));
const { Validator } = await import(need.resolve("@seriousme/openapi-schema-validator"));
const Ajv = need("ajv/dist/2020.js").default;

let input = "";
for await (const part of process.stdin.setEncoding("utf8")) input += part;   // which may not be ready: no readFileSync
const { document, seen } = JSON.parse(input);
const bad = [];

const result = await new Validator().validate(structuredClone(document));
if (!result.valid) bad.push(`the document: ${JSON.stringify(result.errors)}`);

const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true, strictRequired: false });
ajv.addVocabulary(["components"]);
ajv.addSchema({ $id: "doc", components: document.components });
const validators = new Map();
const fits = (schema, value) => {
  const key = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
  if (!validators.has(key)) validators.set(key, ajv.compile(JSON.parse(key)));
  const check = validators.get(key);
  return check(value) ? null : ajv.errorsText(check.errors, { separator: "; " });
};

const operations = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, op]) => ({
  path, method, op, statuses: new Set(),
  pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]*\}/g, "[^/]+")}$`),
})));
// Every property has a type.
const isTyped = (s) => ["type", "$ref", "anyOf", "enum", "const"].some((k) => k in s) && (s.type !== "array" || (s.items && isTyped(s.items)));
for (const [name, schema] of Object.entries(document.components.schemas))
  for (const [key, property] of Object.entries(schema.properties ?? {}))
    if (!isTyped(property)) bad.push(`${name}.${key} has no type`);
if (!document.servers?.length || !document.components.securitySchemes) bad.push("no servers, or no security schemes");

const ids = new Set(operations.map((o) => o.op.operationId));
if (ids.size !== operations.length) bad.push("two operations share an id");

for (const a of seen) {
  const path = a.target.split("?")[0];
  const o = operations.find((x) => x.method === a.method.toLowerCase() && x.pattern.test(path));
  if (!o) {
    if (a.status < 400 && a.method !== "HEAD") bad.push(`${a.method} ${a.target} answers ${a.status} and is not in the document`);
    continue;
  }
  const where = `${a.method} ${o.path} ${a.status}`;
  const named = o.op.responses[a.status] ?? o.op.responses.default;
  o.statuses.add(String(a.status));
  if (a.status < 300 && !o.op.responses[a.status]) bad.push(`${where}: not named`);
  const schema = named.content["application/json"]?.schema;
  if (a.type !== "application/json" || !schema) { bad.push(`${where}: of type ${a.type}`); continue; }
  let value;
  try { value = JSON.parse(a.body); } catch (e) { bad.push(`${where}: ${e}`); continue; }
  const why = fits(schema, value);
  if (why) bad.push(`${where}: ${why}: ${a.body.slice(0, 500)}`);
  for (const name of Object.keys(named.headers ?? {})) if (!(name in a.headers)) bad.push(`${where}: no ${name}`);
  if (a.status < 300 && a.sent != null) {
    const asked = o.op.requestBody?.content["application/json"].schema;
    const no = asked ? fits(asked, a.sent) : "it has no body";
    if (no) bad.push(`${where}: took ${JSON.stringify(a.sent).slice(0, 300)}, which is none: ${no}`);
  }
}
for (const o of operations)
  for (const status of Object.keys(o.op.responses))
    if (status !== "503" && status !== "default" && !o.statuses.has(status)) bad.push(`${o.method} ${o.path} was never seen to answer ${status}`);

for (const line of bad) console.log(line);
console.log(`${operations.length} operations, ${seen.length} answers`);
process.exit(bad.length ? 1 : 0);
