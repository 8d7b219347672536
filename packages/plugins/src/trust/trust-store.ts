import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { tryParseJson, readBytes, findRealPath, swapFile } from '../disk.ts';
import { PluginError } from '../plugin-error.ts';
import type { TrustSubject } from './trust-subject.ts';

const ENTRY = z.object({
  kind: z.enum(['configuration', 'plugin']),
  name: z.string(),
  path: z.string(),
  digest: z.string(),
  decision: z.enum(['trusted', 'refused']),
  since: z.string(),
});
const FILE = z.object({ version: z.literal(1), entries: z.array(ENTRY) });

/** A decision about something, and when it was made (an ISO date). */
export type TrustEntry = Readonly<z.output<typeof ENTRY>>;

/** What is known about something; `changed` when its content is not what the decision was about. */
export type TrustState = 'trusted' | 'refused' | 'changed' | 'unknown';

/**
 * What a person trusts, in a file that only this person can read. A decision holds for a path and its content:
 * after a change nothing is trusted any more.
 */
export class TrustStore {
  #entries: readonly TrustEntry[] | undefined;

  /** @param file absolute; need not exist */
  constructor(readonly file: string) {}

  /** The user's own: `$BAE_HOME/trust.json`, else `bae/trust.json` of `$XDG_CONFIG_HOME` or `~/.config`. */
  static ofUser(env: Readonly<Record<string, string | undefined>>): TrustStore {
    const { BAE_HOME = '', XDG_CONFIG_HOME = '', HOME = '' } = env;
    const settings = XDG_CONFIG_HOME === '' ? join(HOME === '' ? homedir() : HOME, '.config') : XDG_CONFIG_HOME;
    return new TrustStore(join(BAE_HOME === '' ? join(settings, 'bae') : BAE_HOME, 'trust.json'));
  }

  /** Every decision, sorted by path; read once. @throws PluginError when the file holds something else */
  entries(): readonly TrustEntry[] {
    this.#entries ??= this.#read();
    return this.#entries;
  }

  stateOf({ path, digest }: Pick<TrustSubject, 'path' | 'digest'>): TrustState {
    const entry = this.entries().find((one) => one.path === path);
    if (entry === undefined) return 'unknown';
    return entry.digest === digest ? entry.decision : 'changed';
  }

  /** Stores a decision about subjects as they are now. @throws PluginError when the file cannot be read or written */
  remember(subjects: readonly TrustSubject[], decision: TrustEntry['decision']): void {
    const since = new Date().toISOString();
    const added = subjects.map(({ kind, name, path, digest }) => ({ kind, name, path, digest, decision, since }));
    const paths = new Set(added.map(({ path }) => path));
    // Read again: another bae may have written since.
    this.#write([...this.#read().filter(({ path }) => !paths.has(path)), ...added]);
  }

  forget(isMeant: (entry: TrustEntry) => boolean): readonly TrustEntry[] {
    const entries = this.#read();
    const forgotten = entries.filter(isMeant);
    if (forgotten.length > 0) this.#write(entries.filter((entry) => !forgotten.includes(entry)));
    return forgotten;
  }

  #read(): readonly TrustEntry[] {
    const bytes = readBytes(this.file);
    if (bytes === undefined && findRealPath(this.file) === undefined) return [];
    const checked = FILE.safeParse(tryParseJson(bytes));
    if (checked.success) return checked.data.entries.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    const problem = `${this.file} does not hold what bae wrote there: nothing is trusted. Fix it or move it away.`;
    throw new PluginError(problem, [`mv ${this.file} ${this.file}.old`]);
  }

  #write(entries: readonly TrustEntry[]): void {
    this.#entries = undefined;
    try {
      swapFile(this.file, `${JSON.stringify({ version: 1, entries }, undefined, 2)}\n`, 'user');
    } catch (error) {
      const problem = `${this.file} cannot be written: ${(error as Error).message}.`;
      throw new PluginError(`${problem} Make its folder writable, or set BAE_HOME.`, [], error);
    }
  }
}
