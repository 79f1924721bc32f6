// Holds SARIF logs against the published schema: node sarif.mjs NODE_MODULES FILE...
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const home = join(modules, "@microsoft", "jest-sarif");
const require = createRequire(join(home, "package.json"));
const Ajv = require("ajv");                    // 6: the schema is of draft 4
const ajv = new Ajv({ schemaId: "auto", meta: false, allErrors: true, unknownFormats: "ignore" });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const folder = join(home, "lib", "schemas");
const schema = JSON.parse(readFileSync(join(folder, readdirSync(folder).find((f) => f.startsWith("sarif-2.1.0")))));
const valid = ajv.compile(schema);
let bad = 0;
for (const f of files) {
  if (valid(JSON.parse(readFileSync(f, "utf8")))) continue;
  bad = 1;
  console.error(f, JSON.stringify(valid.errors.slice(0, 5), null, 1));
}
process.exit(bad);
