// Serves the tools of one file of tests/data/mcp-tools over input and output: `node stdio-server.mjs FILE`.
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { readFileSync } from 'node:fs';

const [, ...lines] = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const tools = lines.map((line) => JSON.parse(line));

const server = new Server({ name: 'data', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({ tools }));
server.setRequestHandler('tools/call', ({ params }) => ({
  content: [{ type: 'text', text: `called ${params.name} with ${JSON.stringify(params.arguments)}` }],
}));
await server.connect(new StdioServerTransport());
