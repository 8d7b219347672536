import { BaeError, type SessionLog } from '@bae/core';
import { Store } from '@bae/store';
import type { CommandContext } from './command-line/command.ts';
import type { Settings } from './config/settings.ts';
import { getStoreKeys, locateDatabase, NOT_KEPT, type KeptSession } from './kept-session.ts';

type SessionRecord = Parameters<NonNullable<SessionLog['record']>>[0];

/**
 * Keeps only the decisions about calls of a session that has no conversation, for `bae audit`. The database is opened
 * with the first decision: a session that only reads needs none.
 */
export class DecisionLog implements SessionLog {
  readonly #root: string;
  readonly #open: () => Store;
  readonly #report: (problem: string) => void;
  #store: Store | undefined;
  #log: ReturnType<Store['log']> | undefined;
  #isBroken = false;

  constructor({ root }: Pick<Settings, 'root'>, context: Pick<CommandContext, 'options' | 'terminal'>) {
    this.#root = root;
    this.#open = () => Store.open(locateDatabase(root, context), getStoreKeys(root, context));
    this.#report = (problem) => context.terminal.err.write(`decisions are not kept: ${problem}\n`);
  }

  append(): void {
    // Events belong to conversations.
  }

  record(record: SessionRecord): void {
    if (record.kind !== 'approval' || this.#isBroken) return;
    try {
      this.#store ??= this.#open();
      this.#log ??= this.#store.log(this.#store.createSession({ cwd: this.#root }));
      this.#log.record(record);
    } catch (error) {
      if (!BaeError.is(error)) throw error;
      this.#isBroken = true;
      this.#report(error.message.split('\n', 1)[0]!);
    }
  }

  close(): void {
    this.#store?.close();
  }
}

/** Keeps the decisions of sessions that cannot be resumed. */
export function keepDecisions(settings: Pick<Settings, 'root'>, context: CommandContext): KeptSession {
  const logs: DecisionLog[] = [];
  const add = () => {
    const log = new DecisionLog(settings, context);
    logs.push(log);
    return { log };
  };
  return {
    ...NOT_KEPT,
    parts: add(),
    open: async (wanted) => (wanted === undefined ? add() : NOT_KEPT.open(wanted)),
    close: () => {
      for (const log of logs) log.close();
    },
  };
}
