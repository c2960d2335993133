#!/bin/sh
# Says yes and no on the confirmation page in a real browser, in three languages, and takes pictures
# at desktop and phone width, light and dark; ends with 1 if the browser complained of anything.
#
#   make demo                                  # in another terminal
#   tests/manual/confirm_pages.sh [FOLDER]     # needs Chromium
#
# Look at them: is it something you would show a customer's lawyer?
set -eu

cd "$(dirname "$0")/../.."
exec .venv/bin/python -m tests.manual.confirm_pages "${1:-/tmp/confirm-pages}"
