// The official TypeScript client asks for what it is told to, one request after another.
//
// Usage: TOKEN=... node named.mjs ENDPOINT MODE '[{"method", "params"}]'
//
// `MODE` is "auto" or "legacy"; `method` is one of the client's own. Prints one JSON object per
// line: {"version"}, then {"result"} or {"refused"} for each request.

import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [endpoint, mode, requests] = process.argv.slice(2);

function print(told) {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

const client = new Client(
  { name: 'official-typescript', version: '1.0.0' },
  { versionNegotiation: { mode } },
);
const authProvider = { token: async () => process.env.TOKEN };
await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { authProvider }));
print({ version: client.getNegotiatedProtocolVersion() });
for (const { method, params } of JSON.parse(requests)) {
  try {
    print({ result: await client[method](params) });
  } catch (error) {
    print({ refused: { code: error.code, message: error.message } });
  }
}
await client.close();
