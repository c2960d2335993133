// The official TypeScript client calls a tool for a person who answers as they are told.
//
// Usage: TOKEN=... node confirm.mjs ENDPOINT '{"name", "arguments", "elicitation", "answer"}'
//
// `elicitation` is how the client says it can ask: {"form": {}}, {"url": {}}, or null for not at
// all. Prints one JSON object per line: {"asked"} for each question, then {"version", "isError",
// "said"}.

import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const endpoint = new URL(process.argv[2]);
const call = JSON.parse(process.argv[3]);

function print(told) {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

const client = new Client(
  { name: 'official-typescript', version: '1.0.0' },
  {
    capabilities: call.elicitation === null ? {} : { elicitation: call.elicitation },
    versionNegotiation: { mode: 'auto' },
  },
);
if (call.elicitation !== null) {
  client.setRequestHandler('elicitation/create', async (request) => {
    print({ asked: request.params });
    return call.answer;
  });
}
const authProvider = { token: async () => process.env.TOKEN };
await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider }));
const result = await client.callTool({ name: call.name, arguments: call.arguments });
print({
  version: client.getNegotiatedProtocolVersion(),
  isError: result.isError ?? false,
  said: JSON.parse(result.content[0].text),
});
await client.close();
