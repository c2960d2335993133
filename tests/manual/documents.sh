#!/bin/sh
# Writes every document of both demo organisations, and of invented extremes, as PDF and as pictures
# of its pages, from a database of its own.
#
#   tests/manual/documents.sh [FOLDER]         # needs pdftoppm (poppler-utils)
#
# Look at them: is it something you would show a customer's lawyer?
set -eu

cd "$(dirname "$0")/../.."
FOLDER=${1:-/tmp/documents}
.venv/bin/python -m tests.manual.documents "$FOLDER"
for pdf in "$FOLDER"/*.pdf; do
    pdftoppm -r 80 -png "$pdf" "${pdf%.pdf}"
done
ls "$FOLDER"
