#!/bin/sh
# Takes pictures of every page, at desktop and phone width, from a demo that runs already.
#
#   make demo                                  # in another terminal
#   tests/manual/pages.sh [FOLDER]             # needs Chromium and curl
#
# Look at them: is it something you would show a customer?
set -eu

BASE=${BASE:-http://127.0.0.1:8000}
FOLDER=${1:-/tmp/pages}
mkdir -p "$FOLDER"

client=$(curl -fsS -X POST "$BASE/issuer/register" -H 'Content-Type: application/json' \
    -d '{"client_name":"Example assistant","redirect_uris":["http://127.0.0.1:5555/callback"]}' |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["client_id"])')
sign_in="$BASE/issuer/authorize?response_type=code&client_id=$client&state=x&scope=dunning.all\
&redirect_uri=http%3A%2F%2F127.0.0.1%3A5555%2Fcallback&code_challenge_method=S256\
&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

picture() { # picture NAME WIDTH HEIGHT ADDRESS
    profile=$(mktemp -d)
    chromium --headless --no-sandbox --disable-gpu --no-first-run --hide-scrollbars \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$profile" --window-size="$2,$3" --screenshot="$FOLDER/$1.png" "$4" \
        >/dev/null 2>&1
    rm -rf "$profile"
    echo "$FOLDER/$1.png"
}

picture sign-in-phone 420 1700 "$sign_in"
picture sign-in-desktop 1280 1700 "$sign_in"
picture sign-in-refused 420 700 "$BASE/issuer/authorize?client_id=nobody"
picture docs-phone 420 2400 "$BASE/v1/docs"
picture docs-desktop 1280 2400 "$BASE/v1/docs"
