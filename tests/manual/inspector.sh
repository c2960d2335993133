#!/bin/sh
# Lists and calls with the command line of the MCP Inspector, at a service that runs already.
#
#   dunning demo                                      # in another terminal
#   TOKEN=... tests/manual/inspector.sh               # the token that the demo prints for the MCP server
#   URL=https://mcp.example.com/mcp TOKEN=... tests/manual/inspector.sh
#
# The Inspector needs Node.js 22.19 or newer. It is installed into a folder of its own, together
# with that Node.js, and goes away with it.
set -eu

URL=${URL:-http://127.0.0.1:8000/mcp}
: "${TOKEN:?set TOKEN to an access token for the MCP server}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$folder/node_modules/.bin:$PATH
export PATH MCP_CATALOG_PATH="$folder/catalog.json"

npm install --prefix "$folder" --no-audit --no-fund --loglevel=error \
    node@22 @modelcontextprotocol/inspector@2

inspect() {
    mcp-inspector --cli "$URL" --transport http --header "Authorization: Bearer $TOKEN" "$@"
}

echo "node $(node --version)"
inspect --method tools/list --strict > "$folder/tools.json"
grep -q '"name": "dunning_charges_list"' "$folder/tools.json"
echo "tools/list: $(grep -c '"inputSchema"' "$folder/tools.json") tools"

inspect --method tools/call --tool-name dunning_charges_list --tool-arg per_page=2 \
    > "$folder/charges.json"
grep -q 'total_due' "$folder/charges.json"
if grep -q '"isError": true' "$folder/charges.json"; then
    cat "$folder/charges.json"
    exit 1
fi
echo "tools/call dunning_charges_list: a page of charges"
