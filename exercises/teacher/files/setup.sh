#!/bin/bash
# Gradescope runs this once, as root, when it builds the image.
set -eu
root="${AUTOGRADER_ROOT:-/autograder}"
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv python3-dev g++
python3 -I -c 'import sys
if sys.version_info < (3, 11):
    sys.exit("minitorch needs Python 3.11 or later: choose a newer base image")'
python3 -I -m venv "$root/venv"
if compgen -G "$root/source/packages/*" > /dev/null; then
    "$root/venv/bin/pip" install "$root"/source/packages/* "cython>=3.3,<4" "setuptools>=77"
else
    echo "the archive has no package of minitorch: write it with --package FILE" >&2
    exit 1
fi
# the user as whom submissions run; it owns nothing
id submission > /dev/null 2>&1 || useradd --system --no-create-home --shell "$(command -v nologin || command -v false)" submission
chmod -R go-rwx "$root/source"
