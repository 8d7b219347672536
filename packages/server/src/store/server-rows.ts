import type { Prompt, Session, SessionState, Spending } from '@bae/client';
import type { Row } from '@bae/store/backend';
import type { NewServedSession, QueuedPrompt, Token } from '../ports.ts';

/** Reads the totals of a session and of its token. */
export function toSums(session: string, rows: readonly Row[]) {
  return {
    session: toSpending(rows.find(({ subject }) => subject === session)),
    token: toSpending(rows.find(({ subject }) => subject !== session)),
  };
}

function toSpending(row: Row | undefined): Spending {
  const read = (name: keyof Spending): number => Number(row?.[name] ?? 0);
  return { tokens: read('tokens'), dollars: read('dollars'), minutes: read('minutes'), calls: read('calls') };
}

export function toSession(row: Row): Session {
  return {
    ...(JSON.parse(String(row['body'])) as NewServedSession),
    id: String(row['id']),
    created: new Date(Number(row['created'])).toISOString(),
    state: String(row['state']) as SessionState,
    spent: toSpending(row),
  };
}

export function readPromptRow(row: Row): QueuedPrompt {
  return {
    id: String(row['id']),
    session: String(row['session']),
    text: JSON.parse(String(row['text'])) as string,
    // A prompt whose end is about to be announced has ended.
    state: row['state'] === 'ending' ? 'done' : (String(row['state']) as Prompt['state']),
    ...(row['outcome'] !== null && { outcome: String(row['outcome']) }),
    takenAt: Number(row['taken_at']),
    tries: Number(row['tries']),
  };
}

export function toToken(row: Row): Token {
  const readDate = (name: string): Date | undefined => (row[name] === null ? undefined : new Date(Number(row[name])));
  return {
    ...(JSON.parse(String(row['body'])) as Omit<Token, 'created'>),
    created: new Date(Number(row['created'])),
    expires: readDate('expires'),
    revoked: readDate('revoked'),
    used: readDate('used'),
  };
}
