#!/usr/bin/env bash
# What a graphics card does for the range check: health, the shader alone, and whole checks. Nothing but the release program and
# a Vulkan loader is needed; Python 3 for the whole checks, and one with torch for its part in them.
#
# usage: benches/device/run.sh PATH/TO/assert-doctor-cli [GPU-NUMBER] [PYTHON-WITH-TORCH]
#
# Prints what goes into benches/README.md. Exit 0: all ran, and the goals are met; 1: an answer differs, the card is not sound, or
# a goal is missed (each is said); 2: no graphics card.
set -uo pipefail
program=$(realpath "$1") || exit 2
number=${2:-1} python=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failed=0

"$program" gpus --lang en || exit 2
if ! "$program" gpus --lang en --json | tr -d ' \n' | grep -Eq '"kind":"(discrete|integrated)"'; then echo "no graphics card here"; exit 2; fi

echo; echo "## Health"
"$program" gpus --health --device "gpu:$number" --lang en || { echo "NOT SOUND"; failed=1; }

echo; echo "## The shader alone"
"$program" gpus --measure --device "gpu:$number" --lang en | tee "$work/measured" || { echo "not measured"; exit 1; }
# value KEY: a figure of the measurement
"$program" gpus --measure --device "gpu:$number" --json >"$work/measured.json" || exit 1
value() { tr -d ' \n' <"$work/measured.json" | grep -o "\"$1\":[0-9.e+]*" | head -1 | cut -d: -f2; }
copy=$(value copy) upload=$(value upload) int64=$(value int64)
awk -v k="$int64" -v c="$copy" 'BEGIN { share = 100 * k / c; printf "int64: %.0f %% of the bytes that a copy on the device moves (goal: 80 %%): %s\n", share, share >= 80 ? "met" : "missed"; exit share < 80 }' || failed=1

command -v python3 >/dev/null || { echo "no python3: the whole checks are left out"; exit $failed; }
echo; echo "## Whole checks"
python3 "$here/../gpu_speed.py" "$program" --megabytes 4096 --runs 5 --folder "$work" --gpu "$number" ${python:+--torch "$python"} | tee "$work/whole" || failed=1
# The speed that the program itself saw, reading and upload included, against the upload alone.
rate=$(awk -F'|' '$2 ~ /int64/ && $3 ~ /GPU/ { print $5 * 1e6 }' "$work/whole")
awk -v r="$rate" -v u="$upload" 'BEGIN { share = 100 * r / u; printf "int64 from file to answer, start included: %.0f %% of the upload alone (goal: 90 %%): %s\n", share, share >= 90 ? "met" : "missed"; exit share < 90 }' || failed=1
exit $failed
