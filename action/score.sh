#!/usr/bin/env bash
# Scores what GOLDSPAN_PATHS names and leaves report.html, summary.md and result.json in a folder.
# Ends with 0 whatever the score says, so that the comment can be posted; the gate comes after it.
set -euo pipefail

folder="${RUNNER_TEMP:?}/goldspan"
mkdir -p "$folder"
summary="$folder/summary.md"

# A path or argument a line: nothing is expanded, so that names can have any character but that one.
command=(goldspan score --quiet --json "$folder/result.json" --html "$folder/report.html" --markdown "$folder/score.md")
if [[ -n "${GOLDSPAN_MIN_GAMMA:-}" ]]; then command+=(--min-gamma "$GOLDSPAN_MIN_GAMMA"); fi
while IFS= read -r line; do [[ -z "$line" ]] || command+=("$line"); done <<< "${GOLDSPAN_ARGUMENTS:-}"
command+=(--)
while IFS= read -r line; do [[ -z "$line" ]] || command+=("$line"); done <<< "${GOLDSPAN_PATHS:?}"

code=0
rm -f "$folder/score.md" "$folder/result.json"
"${command[@]}" > "$folder/output.txt" 2> "$folder/errors.txt" || code=$?
cat "$folder/output.txt"
cat "$folder/errors.txt" >&2

{
  printf '## %s\n\n' "${GOLDSPAN_TITLE:-Agreement}"
  if [[ -f "$folder/score.md" ]]; then
    if [[ "$code" == 1 ]]; then printf '**A gate was not met.**\n\n'; fi
    cat "$folder/score.md"
  fi
  if [[ "$code" != 0 ]]; then printf '\n```text\n%s\n```\n' "$(tail -n 5 "$folder/errors.txt")"; fi
} > "$summary"

gamma=""
if [[ -f "$folder/result.json" ]]; then
  gamma="$(python3 -c 'import json, sys; value = json.load(open(sys.argv[1], encoding="utf-8"))["corpus"]["gamma"]["value"]; print("" if value is None else value)' "$folder/result.json")"
fi
{ echo "code=$code"; echo "folder=$folder"; echo "gamma=$gamma"; } >> "${GITHUB_OUTPUT:?}"
cat "$summary" >> "${GITHUB_STEP_SUMMARY:?}"
