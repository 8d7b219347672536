import { join, resolve } from 'node:path';
import { BaeError, type AgentOptions } from '@bae/core';
import type { Store } from '@bae/store';
import type { CommandContext } from '../commands/command.ts';
import type { Settings } from '../config/settings.ts';
import { findKept } from './find-kept.ts';

/** A session that is written down as it goes. */
export interface KeptSession {
  /** For the agent: where to write, and what to go on from. */
  readonly parts: Pick<AgentOptions, 'log' | 'results' | 'resume'>;
  close(): void;
}

/** A session that ends with the process. */
export const NOT_KEPT: KeptSession = { parts: {}, close: () => undefined };

/** The database of a folder, or the one that was asked for; absolute. */
export function databaseFile(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): string {
  return options.db === undefined ? join(root, '.bae', 'bae.db') : resolve(terminal.cwd, options.db);
}

/**
 * Starts a session in the database of the folder, or goes on with one.
 *
 * Where nothing can be written and nobody asked for a database, the session is not kept, and a line says so.
 *
 * @throws StoreError when the database that was asked for cannot be used; ConfigurationError when there is
 *   no such session to go on with
 */
export async function keepSession(settings: Settings, context: CommandContext): Promise<KeptSession> {
  const { options, terminal } = context;
  const { Store } = await import('@bae/store');
  const isWanted = options.db !== undefined || options.resume !== undefined;
  let store: Store;
  try {
    store = Store.open(databaseFile(settings.root, context));
  } catch (error) {
    if (isWanted || !BaeError.is(error)) throw error;
    terminal.err.write(`this session is not kept: ${error.message.split('\n', 1)[0]}\n`);
    return NOT_KEPT;
  }
  try {
    return { parts: partsOf(store, settings, options.resume), close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}

function partsOf(store: Store, { root }: Settings, resume: string | undefined): KeptSession['parts'] {
  if (resume === undefined) {
    const id = store.createSession({ cwd: root });
    return { log: store.log(id), results: store.results(id) };
  }
  const { id } = findKept(store.sessions(1000), resume);
  return { log: store.log(id), results: store.results(id), resume: store.snapshot(id) };
}
