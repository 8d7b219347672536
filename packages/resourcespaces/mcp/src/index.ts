// Public API: servers of the Model Context Protocol as places.
export {
  learnTools,
  mcpServer,
  offerTools,
  type KnownServer,
  type OfferedTools,
  type ServerMemory,
  type ServerOptions,
} from './mcp-space.ts';
export { toParameters } from './tool-parameters.ts';
export type { ChangedTool, ToolsChange } from './tools-change.ts';
export type { LiteralSecret } from './secrets/literal-secrets.ts';
export { listServerSecrets } from './secrets/server-secrets.ts';
export { logIn, type Login, type LoginStore } from './server-login.ts';
export {
  describeServer,
  findLiteralSecrets,
  getAddress,
  readServer,
  readServers,
  type ServerSettings,
} from './server-settings.ts';
