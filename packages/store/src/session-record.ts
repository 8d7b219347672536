import type { AgentOptions, SessionLog } from '@bae/core';

/** Something besides the events that a session needs to go on after a crash. */
export type SessionRecord = Parameters<NonNullable<SessionLog['record']>>[0];

/** A session as it was when it was last written down. */
export type SessionSnapshot = NonNullable<AgentOptions['resume']>;
