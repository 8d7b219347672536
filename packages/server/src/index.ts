// Public API. A name added here is a promise to every user of the package.

// Serving.
export { startServer, type RunningServer, type ServerOptions } from './http/start-server.ts';
export { isUsable, makeToken } from './tokens/token.ts';

// Working on prompts.
export { LocalNotifier, LocalWork } from './work/local-work.ts';
export { SharedWork } from './work/shared-work.ts';
export { workOn, type LeaveSignals, type OpenAgent, type ServedAgentParts, type Workshop } from './work/work-on.ts';

// Workspaces.
export { Workspaces, type WorkspacesOptions } from './workspaces/workspaces.ts';

// Storage.
export { forgetInFileStore, openFileStore, SqlServerStore, type ServerStoreParts } from './store/server-store.ts';
export { SERVER_TABLES } from './store/server-tables.ts';
export type {
  AuditEntry,
  Dispatcher,
  KeptQuestion,
  NewServedSession,
  Notifier,
  QueuedPrompt,
  Right,
  ServerStore,
  TakenPrompt,
  Token,
} from './ports.ts';
