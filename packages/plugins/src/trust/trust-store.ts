import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { tryParseJson, readBytes, findRealPath, scanFolder, swapFile } from '../disk.ts';
import { PluginError } from '../plugin-error.ts';
import { folderDigest, hashBytes, type TrustSubject } from './trust-subject.ts';

const DIGESTS = z.record(z.string(), z.string());
const LOADS = z.object({ files: DIGESTS, packages: DIGESTS });
const ENTRY = z.object({
  kind: z.enum(['configuration', 'plugin', 'server', 'instructions']),
  name: z.string(),
  path: z.string(),
  digest: z.string(),
  decision: z.enum(['trusted', 'refused']),
  since: z.string(),
  /** Files and packages that it has loaded in addition to itself. */
  loads: LOADS.optional(),
  /** Paths that it was not allowed to load. */
  wanted: z.array(z.string()).optional(),
});
const FILE = z.object({ version: z.literal(1), entries: z.array(ENTRY) });

/** Trust decision with its date (ISO). */
export type TrustEntry = Readonly<z.output<typeof ENTRY>>;

/** SHA-256 of the files and package folders that trusted code may load, by absolute path. */
export type KnownLoads = Readonly<z.output<typeof LOADS>>;

/** State of a trust decision; `changed` if the content is no longer that of the decision. */
export type TrustState = 'trusted' | 'refused' | 'changed' | 'unknown';

/**
 * Trust decisions of a person, in a file that only this person can read. A decision applies to a path and its content;
 * after a change, nothing is trusted.
 */
export class TrustStore {
  #entries: readonly TrustEntry[] | undefined;

  /** @param file absolute; need not exist */
  constructor(readonly file: string) {}

  /**
   * Opens the user's own decisions: `$BAE_HOME/trust.json` or, if unset, `bae/trust.json` in `$XDG_CONFIG_HOME` or
   * `~/.config`.
   */
  static ofUser(env: Readonly<Record<string, string | undefined>>): TrustStore {
    const { BAE_HOME = '', XDG_CONFIG_HOME = '', HOME = '' } = env;
    const settings = XDG_CONFIG_HOME === '' ? join(HOME === '' ? homedir() : HOME, '.config') : XDG_CONFIG_HOME;
    return new TrustStore(join(BAE_HOME === '' ? join(settings, 'bae') : BAE_HOME, 'trust.json'));
  }

  /** Returns every decision, sorted by path; read once. @throws PluginError when the file contains anything else */
  entries(): readonly TrustEntry[] {
    this.#entries ??= this.#read();
    return this.#entries;
  }

  stateOf({ path, digest }: Pick<TrustSubject, 'path' | 'digest'>): TrustState {
    const entry = this.entries().find((one) => one.path === path);
    if (entry === undefined) return 'unknown';
    return entry.digest === digest && entry.wanted === undefined ? entry.decision : 'changed';
  }

  /** Adds to a subject the paths that it requested in its last run and was refused. */
  addWantedTo(subject: TrustSubject): TrustSubject {
    const { wanted } = this.entries().find(({ path }) => path === subject.path) ?? {};
    if (wanted === undefined) return subject;
    const digests = wanted.map((path) => [path, hashPath(path)] as const);
    const lines = wanted.map((path) => `also loads ${describeLoaded(path)}`);
    return { ...subject, about: [...subject.about, ...lines], wanted: Object.fromEntries(digests) };
  }

  /**
   * Reads again the files and packages that a trusted path may load; undefined if it has not run since it was trusted.
   */
  loadsOf(path: string): KnownLoads | undefined {
    return this.#read().find((entry) => entry.path === path)?.loads;
  }

  /**
   * Records the files and packages that a trusted path has loaded. @throws PluginError when the file cannot be read or
   * written
   */
  addLoads(path: string, { files, packages }: KnownLoads): void {
    this.#change(path, ({ loads, ...entry }) => ({
      ...entry,
      loads: { files: { ...loads?.files, ...files }, packages: { ...loads?.packages, ...packages } },
    }));
  }

  /** Records that a trusted path requested a file or package folder, so that the user is asked about it. */
  addWanted(path: string, wanted: string): void {
    this.#change(path, (entry) => ({ ...entry, wanted: [...new Set([...(entry.wanted ?? []), wanted])] }));
  }

  /**
   * Stores a decision about the current state of subjects. @throws PluginError when the file cannot be read or written
   */
  remember(subjects: readonly TrustSubject[], decision: TrustEntry['decision']): void {
    const since = new Date().toISOString();
    // Read again, because another bae may have written to it.
    const entries = this.#read();
    const added = subjects.map(({ kind, name, path, digest, wanted }) => {
      const earlier = entries.find((entry) => entry.path === path);
      const loads = decision === 'trusted' ? mergeWanted(earlier?.loads, wanted) : undefined;
      return { kind, name, path, digest, decision, since, ...(loads && { loads }) };
    });
    const paths = new Set(added.map(({ path }) => path));
    this.#write([...entries.filter(({ path }) => !paths.has(path)), ...added]);
  }

  forget(isMeant: (entry: TrustEntry) => boolean): readonly TrustEntry[] {
    const entries = this.#read();
    const forgotten = entries.filter(isMeant);
    if (forgotten.length > 0) this.#write(entries.filter((entry) => !forgotten.includes(entry)));
    return forgotten;
  }

  #change(path: string, change: (entry: TrustEntry) => TrustEntry): void {
    this.#write(this.#read().map((entry) => (entry.path === path ? change(entry) : entry)));
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

/** Returns the permitted loads after a decision that includes `wanted`; undefined if nothing was loaded before it. */
function mergeWanted(known: KnownLoads | undefined, wanted: TrustSubject['wanted']): KnownLoads | undefined {
  if (wanted === undefined) return known;
  const paths = Object.entries(wanted);
  const packages = Object.fromEntries(paths.filter(([path]) => isFolder(path)));
  const files = Object.fromEntries(paths.filter(([path]) => !isFolder(path)));
  return { files: { ...known?.files, ...files }, packages: { ...known?.packages, ...packages } };
}

function hashPath(path: string): string {
  return isFolder(path) ? folderDigest(path) : hashBytes(readBytes(path) ?? Buffer.alloc(0));
}

/** Describes `/home/me/shop/lib/a.mjs`, or a package as `zod 4.1.0 in /home/me/shop/node_modules/zod`. */
function describeLoaded(path: string): string {
  if (!isFolder(path)) return path;
  const { name = '', version = '' } = Object(tryParseJson(readBytes(join(path, 'package.json')))) as Record<
    string,
    string
  >;
  return `${name} ${version} in ${path}`;
}

function isFolder(path: string): boolean {
  return readBytes(path) === undefined && scanFolder(path).length > 0;
}
