"""Runs a test of the preview in headless Chromium, driven by playwright-core: a script that prints TAP."""
from harness import *

NPM = os.path.join(TOP, "build", "npm", "node_modules", "playwright-core")


def missing():
    for tool in ("node", "chromium"):
        if not shutil.which(tool):
            return f"{tool} is not installed"
    if int(subprocess.run(["node", "-p", "parseInt(process.versions.node)"], capture_output=True).stdout) < 18:
        return "node is older than 18"
    if not os.path.isdir(NPM):
        return "playwright-core is not installed: `make check` gets it by npm, which may be missing or offline"


def run(script):
    """Becomes node with this script of this folder; without what it needs its one test is skipped."""
    why = missing()
    if why:
        print(f"1..1\nok 1 - {script} # SKIP {why}")
        sys.exit(0)
    path = os.path.join(TOP, "tests", "e2e", script)
    os.execvpe("node", ["node", path, *sys.argv[1:]], {**os.environ, "HMIRROR": HMIRROR, "HM_NPM": os.path.join(TOP, "build", "npm")})
