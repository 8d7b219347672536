import { createHash } from 'node:crypto';
import { ParameterError, type SpaceTree, type ToolContext } from '@bae/core';
import type { SessionMemory } from '@bae/store';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { Evidence } from './fact-file.ts';
import { looksSecret } from './secrets.ts';

/**
 * Matches a path in a text, with an optional line, or an address in a place: `src/server.ts:12`, `shop.server.PORT`.
 */
export const MENTIONED = /(?<path>[\p{L}\p{N}_./@-]+\.[\p{L}\p{N}_$]+)(?::(?<line>\d+))?/gu;
const ADDRESS = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{N}_$-]*)+$/u;
const RESULT = /\bresult:\d+\b/g;
/** Names of evidence other than files: the tag that reads it in a place, or the handle of a result and its session. */
const READ_TAG = /^<([\w.-]+)\.R:(.+)>$/;
const KEPT_RESULT = /^(result:\d+) of (\S+)$/;
/** Maximum number of last read files that a fact is based on if it names nothing. */
const MOST_FILES = 3;
/** Maximum number of kept lines from the text of a symbol. */
const MOST_LINES = 12;

export interface EvidenceSources {
  readonly root: WorkspaceRoot;
  /** Returns the places of the session; without it, no place is asked. */
  readonly getTree?: (() => SpaceTree) | undefined;
  readonly openStore: () => Promise<SessionMemory | undefined>;
  /** Folder whose files are not used as evidence. */
  readonly except: string;
}

/**
 * Finds the evidence for a fact, and reads its current state: files, contents of places at an address, kept results.
 */
export class EvidenceReader {
  readonly #sources: EvidenceSources;

  constructor(sources: EvidenceSources) {
    this.#sources = sources;
  }

  /**
   * Collects the evidence that a text names, in its current state. If it names none, the files that the session read last
   * are the evidence.
   */
  async collect(text: string, { session }: ToolContext): Promise<readonly Evidence[]> {
    const named = new Map<string, Set<number>>();
    const name = (one: string, line?: string): void => {
      const lines = named.get(one) ?? new Set();
      if (line !== undefined) lines.add(Number(line));
      named.set(one, lines);
    };
    for (const { groups } of text.matchAll(MENTIONED)) {
      const { path = '', line } = groups ?? {};
      if (await this.#isFile(path)) name(path, line);
      else for (const place of ADDRESS.test(path) ? this.#listPlaces() : []) name(`<${place}.R:${path}>`);
    }
    for (const [ref] of text.matchAll(RESULT)) name(`${ref} of ${session.id}`);
    const found = await this.#readAll(named);
    if (found.length > 0) return found;
    const last = [...session.seen.keys()].filter((path) => !path.startsWith(this.#sources.except)).slice(-MOST_FILES);
    for (const path of last) if (await this.#isFile(path)) name(path);
    return this.#readAll(named);
  }

  /** Computes the current hash of a piece of evidence; undefined if it no longer exists. */
  async hash(name: string): Promise<string | undefined> {
    if (!this.#isElsewhere(name))
      return this.#sources.root.digest(name).then(
        ({ hash }) => hash,
        () => undefined,
      );
    const text = await this.#readElsewhere(name);
    return text === undefined ? undefined : hashText(text);
  }

  /** Reads the current lines of a piece of evidence. */
  async readLines(name: string): Promise<readonly string[]> {
    const text = this.#isElsewhere(name)
      ? await this.#readElsewhere(name)
      : (await this.#sources.root.readText(name)).text;
    return (text ?? '').split('\n');
  }

  async #readAll(named: ReadonlyMap<string, ReadonlySet<number>>): Promise<readonly Evidence[]> {
    const read = await Promise.all(Array.from(named, ([name, numbers]) => this.#read(name, numbers)));
    return read.filter((one) => one !== undefined);
  }

  async #read(name: string, numbers: ReadonlySet<number>): Promise<Evidence | undefined> {
    const hash = await this.hash(name);
    if (hash === undefined) return undefined;
    const rows = await this.readLines(name);
    const isPlace = READ_TAG.test(name);
    const kept = isPlace ? rows.slice(0, MOST_LINES).map((_, index) => index + 1) : [...numbers];
    const lines = new Map(kept.map((number) => [number, rows[number - 1] ?? '']));
    const secret = Array.from(lines).find(([, line]) => looksSecret(line));
    if (secret === undefined) return { path: name, hash, lines };
    // The person did not ask for these lines.
    if (isPlace) return { path: name, hash, lines: new Map() };
    throw new ParameterError(
      `text: line ${secret[0]} of ${formatPath(name)} looks like it holds a key or a password, which memory never keeps. Name the file without the line.`,
    );
  }

  /** Lists the places of the session that can return the content at an address. */
  #listPlaces(): readonly string[] {
    const spaces = this.#sources.getTree?.().below([]) ?? [];
    return spaces.filter((space) => space.contentOf !== undefined).map(({ name }) => name);
  }

  #isElsewhere(name: string): boolean {
    return READ_TAG.test(name) || KEPT_RESULT.test(name);
  }

  /** Reads the content of a place at an address, or a whole kept result; undefined if it no longer exists. */
  async #readElsewhere(name: string): Promise<string | undefined> {
    const [, place, target] = READ_TAG.exec(name) ?? [];
    const [, ref, session] = KEPT_RESULT.exec(name) ?? [];
    try {
      if (place !== undefined) return await this.#sources.getTree?.().at(place.split('.'))?.contentOf?.(target!);
      return await (await this.#sources.openStore())?.keptResult(session!, ref!);
    } catch {
      return undefined;
    }
  }

  async #isFile(path: string): Promise<boolean> {
    try {
      const { kind, secrecy } = await this.#sources.root.info(path);
      return kind === 'file' && secrecy === undefined;
    } catch {
      return false;
    }
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
