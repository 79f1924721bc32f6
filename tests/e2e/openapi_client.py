#!/usr/bin/env python3
"""A client that openapi-typescript generates from the OpenAPI document compiles strictly, and does with the server
what its types say, by every operation of the document."""
import json
import os
import shutil
import subprocess
from harness import HANGS, TOP, Skip, main
from server import Server

NPM = os.path.join(TOP, "build", "npm", "node_modules")
STRICT = {"strict": True, "noUncheckedIndexedAccess": True, "noUnusedLocals": True, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
          "lib": ["es2022", "dom", "dom.iterable"], "types": []}


def compiled(m):
    return subprocess.run(["node", os.path.join(NPM, "typescript", "bin", "tsc")], cwd=m.dir, capture_output=True, text=True, timeout=HANGS)


def test_a_generated_client(m):
    if not shutil.which("node") or not os.path.isdir(os.path.join(NPM, "openapi-typescript")):
        raise Skip("npm's packages are not installed: see `make check`")
    m.run("init", ".")
    os.symlink(NPM, m.path("node_modules"))
    with open(m.path("tsconfig.json"), "w") as f:
        json.dump({"compilerOptions": STRICT, "files": ["openapi_client.mts"]}, f)
    shutil.copy(os.path.join(TOP, "tests", "e2e", "openapi_client.mts"), m.dir)
    with Server(m) as s:
        with open(m.path("openapi.json"), "wb") as f:
            f.write(s.get("/openapi.json").body)
        subprocess.run(["node", os.path.join(NPM, "openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "schema.d.ts"], cwd=m.dir, check=True, capture_output=True, timeout=HANGS)
        r = compiled(m)
        assert r.returncode == 0, r.stdout[-3000:]
        r = subprocess.run(["node", "openapi_client.mjs", f"http://127.0.0.1:{s.port}"], cwd=m.dir, capture_output=True, text=True, timeout=HANGS)
        assert r.returncode == 0, r.stderr[-3000:]
        every = sorted(f"{method.upper()} {path}" for path, methods in s.get("/openapi.json").json()["paths"].items() for method in methods)
        assert json.loads(r.stdout) == every, set(every) ^ set(json.loads(r.stdout))
    # It must be able to fail: a type that says something else.
    with open(m.path("schema.d.ts")) as f:
        types = f.read()
    with open(m.path("schema.d.ts"), "w") as f:
        f.write(types.replace("score: number", "score: string"))
    assert compiled(m).returncode != 0


main(globals())
