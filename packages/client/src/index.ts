// Public API. A name added here is a promise to every user of the package.
export { Client, RefusedError, type ClientOptions, type FollowOptions } from './client.ts';
export type {
  Answers,
  Budget,
  Effect,
  LoggedEvent,
  Problem,
  Prompt,
  Question,
  Reply,
  ServerEvent,
  Session,
  SessionEvent,
  SessionExport,
  SessionRequest,
  SessionState,
  Spending,
  StreamedEvent,
  Workspace,
} from './api.ts';
