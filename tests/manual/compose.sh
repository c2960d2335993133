#!/bin/sh
# Builds and starts the compose file from a fresh copy of this checkout, asks, and takes all away.
#
#   tests/manual/compose.sh                    # needs Docker with compose, and port 8000 free
set -eu

compose=$(docker compose version >/dev/null 2>&1 && echo "docker compose" || echo docker-compose)
folder=$(mktemp -d)
git clone -q "$(git rev-parse --show-toplevel)" "$folder/dunning"
cd "$folder/dunning"
cp .env.example .env
trap '$compose down -v >/dev/null 2>&1; rm -rf "$folder"' EXIT

$compose build
$compose up -d
for _ in $(seq 60); do
    curl -fsS http://localhost:8000/readyz && break
    sleep 1
done
echo
token=$($compose run --rm migrate dunning token --person bianca@aurora.example.com --surface v1 |
    tail -n 1 | tr -d '\r')
curl -fsS -H "Authorization: Bearer $token" 'http://localhost:8000/v1/charges?per_page=1'
echo
$compose stop app
docker inspect --format 'the app ended with {{.State.ExitCode}}' "$($compose ps -aq app)"
