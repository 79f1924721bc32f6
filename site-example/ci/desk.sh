#!/bin/sh
# Verdicts from a desk to everybody, and everybody's to this desk. Run it in your
# checkout of the repository that holds mirror.yml, facts/ and verdicts.jsonl,
# before you decide something and after. The nightly run (github-pages.yml,
# gitlab-ci.yml) imports the same files into a fresh store and publishes.
set -eu

# The file first: what is exported is what the store knows.
take() {
  hmirror -q import facts/*.jsonl
  if [ -f verdicts.jsonl ]; then hmirror -q import verdicts.jsonl; fi
  hmirror -q sweep
}
save() {
  hmirror -q export --verdicts -o verdicts.jsonl
  git add verdicts.jsonl
  git diff --cached --quiet || git commit -q -m "Verdicts"
}

take
save
git pull -q --no-rebase --no-edit
take
save
git push -q
hmirror conflicts list
