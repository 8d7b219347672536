// Public API: the places of an agent as one server of the Model Context Protocol.
export { serveStdio, serveHttp, type HttpOptions, type ServedAddress } from './serve.ts';
export { ClientConsent } from './client-consent.ts';
export { serveAgent, type ServedAgent } from './agent-server.ts';
