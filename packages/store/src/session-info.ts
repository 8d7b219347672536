import type { Row } from './database.ts';

/** What a session is started with. */
export interface NewSession {
  /** Name in events. Default: `1`. */
  readonly label?: string;
  /** Folder it works in. Default: empty. */
  readonly cwd?: string;
  /** Anything else worth knowing, as plain JSON. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A session as one line of a list. */
export interface SessionInfo {
  readonly id: string;
  readonly label: string;
  readonly started: Date;
  readonly cwd: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly turns: number;
  readonly messages: number;
  /** Calls and run blocks. */
  readonly calls: number;
  /** Beginning of the first prompt, in one line of at most 60 characters; absent before there is one. */
  readonly prompt?: string;
}

/** Longest beginning of a prompt in a list, in code points. */
const PROMPT_LENGTH = 60;

/** A session out of its row. */
export function sessionInfo(row: Row): SessionInfo {
  return {
    id: String(row['id']),
    label: String(row['label']),
    started: new Date(Number(row['started'])),
    cwd: String(row['cwd']),
    meta: JSON.parse(String(row['meta'])) as SessionInfo['meta'],
    turns: Number(row['last_turn']),
    messages: Number(row['messages']),
    calls: Number(row['last_call']),
    ...(row['prompt'] !== null && { prompt: String(row['prompt']) }),
  };
}

/** The beginning of a prompt, in one line. */
export function promptLine(prompt: string): string {
  const points = Array.from(prompt.slice(0, 1000).replaceAll(/\s+/g, ' ').trim());
  return points.length <= PROMPT_LENGTH ? points.join('') : `${points.slice(0, PROMPT_LENGTH - 1).join('')}…`;
}
