// A client of the API: its types are generated from the OpenAPI document (schema.d.ts), its calls go over openapi-fetch.
// What `@ts-expect-error` stands above must not compile: the types would be too loose. node openapi_client.mjs URL; prints "ok".
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

declare const process: { argv: string[] };
const api = createClient<paths>({ baseUrl: process.argv[2]! });
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

// What is found: a sweep of one project, a conflict, its verdict.
const swept = given(await api.POST("/sweeps", { body: { scope: "project:p05" } }));
const kinds: number[] = Object.values(given(await api.GET("/sweeps/latest")).sweep?.findings_by_kind ?? {});
const { conflicts } = given(await api.GET("/conflicts", { params: { query: { status: "open" } } }));
if (swept.scope !== "project:p05" || conflicts.length !== 1 || kinds.some((n) => n < 0)) fail(`not so: ${JSON.stringify(swept)}`);
const verdict = given(await api.POST("/conflicts/{id}/resolve", {
  params: { path: { id: conflicts[0]!.id } }, body: { resolution_notes: "measured", winner_member_id: "s1", by: "kim" } }));
if (verdict.status !== "resolved") fail(`not so: ${verdict.status}`);
const score: number | undefined = given(await api.GET("/recall", { params: { query: { query: "spindle speed" } } })).hits[0]?.score;
if (!score) fail("no hit");

// @ts-expect-error: a state needs a value
const untold: components["schemas"]["NewProjectState"] = { key: "x" };
// @ts-expect-error: no such field
const other: components["schemas"]["RelationPatch"] = { colour: "red" };
// @ts-expect-error: a number is no text
const text: components["schemas"]["Hit"]["score"] = "0.7";
// @ts-expect-error: no such status
api.GET.bind(null, "/conflicts", { params: { query: { status: "new" } } });
void [untold, other, text];
console.log("ok");
