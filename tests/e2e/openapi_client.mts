// A client of the API: its types are generated from the OpenAPI document (schema.d.ts), its calls go over openapi-fetch.
// What `@ts-expect-error` stands above must not compile: the types would be too loose. node openapi_client.mjs URL; prints what it
// called, as JSON: a list of "METHOD PATH".
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

declare const process: { argv: string[] };
const api = createClient<paths>({ baseUrl: process.argv[2]! });
const called = new Set<string>();
api.use({ onRequest: ({ request, schemaPath }) => { called.add(`${request.method} ${schemaPath}`); } });
const fail = (why: string): never => { throw new Error(why); };
const given = <T,>(r: { data?: T; error?: unknown }): T => r.data ?? fail(JSON.stringify(r.error));

// Rows of each layer.
for (const name of ["frame", "rail"])
  given(await api.POST("/entities", { body: { id: name, entity_type: "Component", name, project: "p05" } }));
const state = given(await api.POST("/project/state", { body: { id: "s1", project: "p05", key: "spindle_speed", value: "45 rpm" } }));
const relation = given(await api.POST("/relations", { body: { id: "r1", type: "PART_OF", from: "rail", to: "frame", project: "p05" } }));
const memory = given(await api.POST("/memory", { params: { query: { by: "kim" } }, body: { memory_type: "knowledge", content: "The spindle speed is 55 rpm.", project: "p05" } }));
if (relation.ref !== "relation:r1" || !memory.conflicts.length) fail(`not so: ${relation.ref}, ${memory.conflicts.length}`);

// Edits, and one that the server refuses.
const edited = given(await api.PATCH("/project/state/{id}", { params: { path: { id: "s1" } }, body: { value: "50 rpm", source: "bench" } }));
const refused = await api.PATCH("/project/state/{id}", { params: { path: { id: "none" } }, body: { value: "1" } });
if (edited.value !== "50 rpm" || refused.error?.error.code !== "unknown") fail(`not so: ${edited.value}`);
given(await api.PATCH("/relations/{id}", { params: { path: { id: "r1" } }, body: { properties: { since: "1990" } } }));

// Lists, in pages.
const seen: string[] = [];
for (let after: string | undefined; ;) {
  const page: components["schemas"]["Rows"] = given(await api.GET("/rows", { params: { query: { project: "p05", limit: 2, after } } }));
  seen.push(...page.rows.map((r) => r.ref));
  if (!page.next) break;
  after = page.next;
}
if (seen.sort().join() !== ["entity:frame", "entity:rail", memory.ref, relation.ref, state.ref].sort().join()) fail(`rows: ${seen}`);

// What is found: a sweep of one project, a conflict, its verdicts.
const swept = given(await api.POST("/sweeps", { body: { scope: "project:p05" } }));
const kinds: number[] = Object.values(given(await api.GET("/sweeps/latest")).sweep?.findings_by_kind ?? {});
const { conflicts } = given(await api.GET("/conflicts", { params: { query: { status: "open" } } }));
if (swept.scope !== "project:p05" || conflicts.length !== 1 || kinds.some((n) => n < 0)) fail(`not so: ${JSON.stringify(swept)}`);
const path = { id: conflicts[0]!.id };
const lines: string[] = given(await api.GET("/conflicts/{id}/explain", { params: { path } })).lines;
if (given(await api.GET("/conflicts/{id}", { params: { path } })).members.length !== 2 || !lines.length) fail("not two sides");
given(await api.POST("/conflicts/{id}/dismiss", { params: { path }, body: { reason: "two lathes" } }));
given(await api.POST("/conflicts/{id}/reopen", { params: { path }, body: { reason: "one lathe", keep_rows: true } }));
const verdict = given(await api.POST("/conflicts/{id}/resolve", {
  params: { path }, body: { resolution_notes: "measured", winner_member_id: "s1", by: "kim" } }));
if (verdict.status !== "resolved") fail(`not so: ${verdict.status}`);
const score: number | undefined = given(await api.GET("/recall", { params: { query: { query: "spindle speed" } } })).hits[0]?.score;
const { tokens } = given(await api.GET("/context", { params: { query: { task: "spindle speed", tokens: 200 } } }));
if (!score || tokens > 200) fail("no hit");

// One row of each layer, edited; and candidates that a person takes.
const note = (content: string, status: "active" | "candidate" = "active") => ({ memory_type: "knowledge", content, project: "p05", status });
const rows = [
  given(await api.GET("/memory/{id}", { params: { path: { id: memory.id } } })).id,
  given(await api.GET("/entities/{type}/{id}", { params: { path: { type: "component", id: "frame" } } })).id,
  given(await api.GET("/project/state/{id}", { params: { path: { id: "s1" } } })).id,
  given(await api.GET("/relations/{id}", { params: { path: { id: "r1" } } })).id,
];
for (const row of rows) if (given(await api.GET("/rows/{row}", { params: { path: { row } } })).id !== row) fail(row);
const lid = given(await api.POST("/memory", { body: note("The lid is oak.") }));
given(await api.PATCH("/memory/{id}", { params: { path: { id: lid.id } }, body: { content: "The lid is of ash.", tags: ["lid"] } }));
given(await api.PATCH("/entities/{id}", { params: { path: { id: "rail" } }, body: { confidence: 0.5 } }));
const waits = given(await api.POST("/memory", { body: note("The hinge is brass.", "candidate") }));
given(await api.POST("/entities", { body: { id: "knob", entity_type: "Component", name: "knob", project: "p05", status: "candidate" } }));
given(await api.POST("/project/state", { body: { id: "s2", project: "p05", key: "lamp", value: "off", status: "candidate" } }));
given(await api.POST("/relations", { body: { id: "r2", type: "PART_OF", from: "knob", to: "frame", project: "p05", status: "candidate" } }));
given(await api.POST("/memory/{id}/promote", { params: { path: { id: waits.id } }, body: {} }));
given(await api.POST("/entities/{id}/promote", { params: { path: { id: "knob" } } }));
given(await api.POST("/project/state/{id}/promote", { params: { path: { id: "s2" } } }));
given(await api.POST("/relations/{id}/promote", { params: { path: { id: "r2" } } }));
given(await api.POST("/memory/{id}/graduate", { params: { path: { id: waits.id } }, body: { entity_type: "Component", name: "hinge" } }));
const oak = given(await api.POST("/memory", { body: note("The bench stands by the door.") }));
given(await api.POST("/supersede/{row}", { params: { path: { row: oak.ref } }, body: { newer: lid.ref, notes: "moved" } }));
given(await api.POST("/restore/{row}", { params: { path: { row: oak.ref } }, body: { notes: "moved back" } }));

// Links, and what is around a row.
const link = { src: lid.ref, dst: "entity:frame", rel: "refines" };
if (!given(await api.POST("/links", { body: link })).changed) fail("not linked");
const around = { params: { path: { row: lid.ref } } };
const near = given(await api.GET("/neighbors/{row}", around)).neighbors, web = given(await api.GET("/subgraph/{row}", around));
if (near[0]?.row !== "entity:frame" || !web) fail("no neighbour");
given(await api.GET("/impact/{row}", around));
given(await api.GET("/evidence/{row}", around));
given(await api.POST("/links/remove", { body: link }));
const rain = [];
for (const content of ["It rained.", "It poured."])
  rain.push(given(await api.POST("/memory", { body: { ...note(content), memory_type: "episodic" } })).ref);
given(await api.POST("/reflections", { body: { ids: rain, text: "It was wet." } }));

// What is alike, pairs, reports, flags, findings.
const ten = given(await api.POST("/memory", { body: note("Invoices must be kept for ten years") }));
const six = given(await api.POST("/memory", { body: note("Invoice retention by law is 6 years") }));
if (!six.alike?.some((x) => x.row === ten.ref) || given(await api.GET("/alike", { params: { query: { row: six.ref } } })).alike.length < 1) fail("not alike");
if (!given(await api.GET("/pairs", { params: { query: { limit: 5 } } })).pairs.some((p) => p.rows.includes(ten.ref))) fail("no pair");
const pair = { rows: [six.ref, ten.ref], why: "two terms" };
if (!given(await api.POST("/reports", { body: { ...pair, question: "How long?", by: "gull" } })).finding) fail("not reported");
given(await api.POST("/reports/withdraw", { body: { reporter: "gull" } }));
given(await api.POST("/reports/deny", { body: { rows: [lid.ref, ten.ref], why: "of two things" } }));
const report = given(await api.POST("/reports", { body: { ...pair, question: "How long?", by: "gull" } })).finding ?? fail("no finding");
given(await api.POST("/findings/{id}/confirm", { params: { path: { id: report } }, body: { reason: "seen" } }));
const flag = { params: { path: { row: ten.ref } }, body: { reason: "odd" } };
given(await api.POST("/flags/{row}", flag));
const { findings } = given(await api.GET("/findings", { params: { query: { kind: "review" } } }));
const finding = { path: { id: findings[0]?.id ?? fail("no flag") } };
given(await api.GET("/findings/{id}/explain", { params: finding }));
given(await api.POST("/findings/{id}/ack", { params: finding, body: { reason: "known" } }));
given(await api.POST("/findings/{id}/unack", { params: finding, body: { reason: "not known" } }));
given(await api.POST("/flags/{row}/withdraw", flag));

// Of the whole store.
if (given(await api.GET("/health")).open_conflicts_count !== 1) fail("not one conflict");
if (given(await api.GET("/projects")).projects[0]?.id !== "p05" || given(await api.GET("/rules")).rules.length < 10) fail("not one project");
given(await api.GET("/query/{name}", { params: { path: { name: "decisions" } } }));
given(await api.GET("/openapi.json"));

// @ts-expect-error: a state needs a value
const untold: components["schemas"]["NewProjectState"] = { key: "x" };
// @ts-expect-error: no such field
const other: components["schemas"]["RelationPatch"] = { colour: "red" };
// @ts-expect-error: a number is no text
const text: components["schemas"]["Hit"]["score"] = "0.7";
// @ts-expect-error: no such status
api.GET.bind(null, "/conflicts", { params: { query: { status: "new" } } });
void [untold, other, text];
console.log(JSON.stringify([...called].sort()));
