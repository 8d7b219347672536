// Public API: the places of an agent as one server of the Model Context Protocol.
export { serveStdio } from './serve-stdio.ts';
export { ClientConsent, makeAgentServer, type ServedAgent } from './agent-server.ts';
