// Public API: servers of the Model Context Protocol as places.
export { learnTools, mcpServer, type KnownServer, type ServerMemory, type ServerOptions } from './mcp-space.ts';
export { describeServer, readServers, type ServerSettings } from './server-settings.ts';
