// The official client of the Model Context Protocol, driven by lines: node mcp.mjs NPM {"command","args","cwd","env","name"}
// A line of standard input is {"do": METHOD OF THE CLIENT, "with": [ARGUMENTS]}; the answer, a line, is {"ok": RESULT} or {"error": {...}}.
// The client itself holds each structured answer against the tool's output schema.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";

const need = createRequire(join(process.argv[2], "package.json"));
const { Client } = await import(need.resolve("@modelcontextprotocol/sdk/client/index.js"));
const { StdioClientTransport } = await import(need.resolve("@modelcontextprotocol/sdk/client/stdio.js"));
const Ajv2020 = need("ajv/dist/2020.js").default;

const { name, ...how } = JSON.parse(process.argv[3]);
const client = new Client({ name, version: "1.0.0" });
const say = (x) => process.stdout.write(JSON.stringify(x) + "\n");
const failures = [];
client.onerror = (e) => failures.push(String(e));
await client.connect(new StdioClientTransport(how));
say({ ok: { server: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions() } });

// Every schema by the strict rules of the dialect that it is written in, the answers by those, too.
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, strictRequired: false });
const outputs = new Map();
const ours = {
  compile: async () => {
    const tools = [];
    let cursor;
    do {
      const page = await client.listTools(cursor && { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    for (const t of tools) {
      ajv.compile(t.inputSchema);
      if (t.outputSchema) outputs.set(t.name, ajv.compile(t.outputSchema));
    }
    return tools;
  },
  call: async (name, args) => {
    const r = await client.callTool({ name, arguments: args }, undefined, { timeout: 600000 });   // on a busy machine, too
    const fits = outputs.get(name);
    if (!r.isError && fits && !fits(r.structuredContent)) throw new Error(`${name}: ${ajv.errorsText(fits.errors)}`);
    return r;
  },
  // Counts what is told of progress, and cancels the call after so many times; null: never.
  progress: async (name, args, most) => {
    const told = [], stop = new AbortController();
    const onprogress = (p) => { if (told.push(p.progress) === most) stop.abort("enough"); };
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, { signal: stop.signal, onprogress });
      return { told, result };
    } catch (e) {
      return { told, cancelled: String(e) };
    }
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, with: args } = JSON.parse(line);
  try {
    say({ ok: (await (ours[what] ?? client[what].bind(client))(...args)) ?? null });
  } catch (e) {
    say({ error: { code: e.code ?? null, message: e.message } });
  }
}
await client.close();
say({ failures });
