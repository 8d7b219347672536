// Public API: the places of an agent as one server of the Model Context Protocol.
export { serveStdio } from './serve-stdio.ts';
export { ClientConsent } from './client-consent.ts';
export { serveAgent, type ServedAgent } from './agent-server.ts';
export { serveHttp, type HttpOptions, type ServedAddress } from './serve-http.ts';
