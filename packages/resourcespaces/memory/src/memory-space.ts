import {
  inject,
  resourcespace,
  ResourceError,
  tool,
  type Provision,
  type Resourcespace,
  type SearchHit,
  type SpaceSource,
} from '@bae/core';
import type { Entry, SessionInfo, Store } from '@bae/store';
import { formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FactsSpace } from './facts-space.ts';

/** What a memory works with. */
export interface MemoryOptions {
  /** Opens the sessions of the workspace; undefined where none were kept. It is called when they are first asked for. */
  readonly openStore: () => Promise<Store | undefined>;
  /** Returns the secret of the user: facts that are signed with it are the user's own. */
  readonly getKey: () => Uint8Array;
  /** Default: the clock of this machine. */
  readonly now?: () => Date;
}

const MEMORY = Symbol.for('bae.memory');

export function provideMemory(options: MemoryOptions): Provision {
  return { token: MEMORY, value: options };
}

const PAGE = 40;
const MOST_SESSIONS = 20;
const MOST_HITS = 20;
const LONGEST_ROW = 100;
/** Characters of an id that name a session. */
const ID = 13;

const from = z.int().min(1).default(1).describe('First entry of the page');
const PARAMS = {
  read: z.object({
    target: z
      .string()
      .default('')
      .meta({ description: 'A session, a day, or the number of an entry; default the sessions', examples: [''] }),
    from,
  }),
  grep: z.object({
    words: z.string().meta({ examples: ['login'] }),
    session: z.string().default('').describe('Beginning of the id of a session'),
  }),
} as const;

/** Earlier sessions in this workspace, and what was learnt in them. */
@resourcespace({ name: 'memory', description: 'Earlier sessions here, and facts that were learnt.' })
export class MemorySpace implements Resourcespace {
  readonly #options: MemoryOptions;
  readonly #facts: FactsSpace;
  #opened: Promise<Store | undefined> | undefined;

  constructor(@inject(MEMORY) options: MemoryOptions, @inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#options = options;
    const { getKey, now = () => new Date() } = options;
    this.#facts = new FactsSpace(root, { getKey, now });
  }

  children(): Readonly<Record<string, SpaceSource>> {
    return { facts: this.#facts };
  }

  async enter(): Promise<string> {
    const counts = (await this.#store())?.countEntries() ?? new Map<string, number>();
    const [latest] = await this.#sessions();
    const sessions = formatQuantity(counts.size, 'session');
    const entries = countNoun([...counts.values()].reduce((sum, count) => sum + count, 0));
    const last = latest === undefined ? '' : `; latest ${formatDay(latest.started)}`;
    const { facts, unverified } = await this.#facts.count();
    return `${sessions}, ${entries}${last}; ${formatQuantity(facts, 'fact')}, ${unverified} not verified.`;
  }

  status(): Promise<Readonly<Record<string, number>>> {
    return this.#facts.count();
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const facts = (await this.#facts.search(query, limit)).map(({ target, text }) => ({
      target: `facts.${target}`,
      text,
    }));
    const entries = (await this.#find(query, limit)).map((entry) => ({
      target: String(entry.id),
      text: renderEntryRow(entry),
    }));
    return [...facts, ...entries].slice(0, limit);
  }

  @tool({ description: 'Sessions, one of them, or an entry (381).', params: PARAMS.read })
  async read({ target, from: first }: z.output<typeof PARAMS.read>) {
    const wanted = target.trim();
    const [, fact] = /^facts\.(.+)$/.exec(wanted) ?? [];
    if (fact !== undefined) return this.#facts.read({ name: fact });
    if (/^#?\d{1,7}$/.test(wanted)) return this.#readEntry(Number(wanted.replace('#', '')));
    const sessions = await this.#sessions();
    if (wanted === '') return this.#renderSessions(sessions);
    if (/^\d{4}-\d\d-\d\d$/.test(wanted))
      return this.#renderSessions(sessions.filter(({ started }) => formatDay(started) === wanted));
    return this.#readSession(await this.#findSession(wanted), first);
  }

  @tool({ description: 'Prompts, answers and outputs with these words, best first.', params: PARAMS.grep })
  async grep({ words, session }: z.output<typeof PARAMS.grep>) {
    const id = session === '' ? undefined : (await this.#findSession(session)).id;
    const found = await this.#find(words, MOST_HITS, id);
    const text = found.map(renderEntryRow).join('\n') || '(no matches)';
    return { text, format: 'plain' as const, rows: found.length };
  }

  async dispose(): Promise<void> {
    const opened = await this.#opened;
    this.#opened = undefined;
    opened?.close();
  }

  #store(): Promise<Store | undefined> {
    return (this.#opened ??= this.#options.openStore());
  }

  /** The sessions that the user's own bae has written, newest first: of others nothing is remembered. */
  async #sessions(): Promise<readonly SessionInfo[]> {
    const store = await this.#store();
    return store?.sessions(1000).filter(({ id }) => store.isProven(id) !== false) ?? [];
  }

  async #find(query: string, limit: number, session?: string): Promise<readonly Entry[]> {
    const own = new Set((await this.#sessions()).map(({ id }) => id));
    const found =
      (await this.#store())?.search(query, { limit: limit * 2, ...(session !== undefined && { session }) }) ?? [];
    return found.filter((entry) => own.has(entry.session)).slice(0, limit);
  }

  async #findSession(beginning: string): Promise<SessionInfo> {
    const [found, ...others] = (await this.#sessions()).filter(({ id }) => id.startsWith(beginning));
    if (found !== undefined && others.length === 0) return found;
    const reason = found === undefined ? 'no session begins' : `${others.length + 1} sessions begin`;
    throw new ResourceError(`${reason} with ${JSON.stringify(beginning)}.`, ['<R:>']);
  }

  async #renderSessions(sessions: readonly SessionInfo[]) {
    const counts = (await this.#store())?.countEntries() ?? new Map<string, number>();
    const rows = sessions.slice(0, MOST_SESSIONS).map(({ id, started, prompt = '' }) => {
      const time = started.toISOString().slice(0, 16).replace('T', ' ');
      return `${id.slice(0, ID)}  ${time}  ${countNoun(counts.get(id) ?? 0)}  ${JSON.stringify(prompt)}`;
    });
    const more = sessions.length - rows.length;
    if (more > 0) rows.push(`… ${more} older sessions: <R:2026-01-31> lists those of a day`);
    return { text: rows.join('\n') || '(no sessions)', format: 'plain' as const, rows: sessions.length };
  }

  async #readSession({ id, meta: _meta, ...session }: SessionInfo, first: number) {
    const store = (await this.#store())!;
    const entries = store.entries(id, { from: first - 1, limit: PAGE });
    const total = store.countEntries().get(id) ?? 0;
    const last = first + entries.length - 1;
    const next = last < total ? `; next: <R:${id.slice(0, ID)} from=${last + 1}>` : '';
    const head = `${id.slice(0, ID)}  ${formatDay(session.started)}  ${session.cwd}`;
    const rows = [
      head,
      ...entries.map(renderEntryRow),
      `[entries ${Math.min(first, total)}-${last} of ${total}${next}]`,
    ];
    return { text: rows.join('\n'), format: 'plain' as const, rows: total };
  }

  async #readEntry(id: number) {
    const entry = (await this.#store())?.entry(id);
    const sessions = await this.#sessions();
    if (entry === undefined || !sessions.some((session) => session.id === entry.session))
      throw new ResourceError(`there is no entry ${id}.`, ['<R:>']);
    const head = `#${id}  ${entry.session.slice(0, ID)}  ${entry.time.toISOString().slice(0, 16).replace('T', ' ')}  ${describeChannel(entry)}`;
    const cut = entry.meta['truncated'] === true ? '\n[the rest was not kept for searching]' : '';
    return { text: `${head}\n${entry.content}${cut}`, format: 'plain' as const };
  }
}

function countNoun(entries: number): string {
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
}

/** `#381 21:05 user> fix the login bug`. */
function renderEntryRow(entry: Entry): string {
  const text = entry.content.replaceAll(/\s+/g, ' ').trim();
  const row = `#${entry.id} ${entry.time.toISOString().slice(11, 16)} ${describeChannel(entry)}> ${text}`;
  return row.length > LONGEST_ROW ? `${row.slice(0, LONGEST_ROW - 1)}…` : row;
}

function describeChannel({ channel, direction }: Entry): string {
  if (channel !== 'ai') return channel;
  return direction === 'input' ? 'user' : 'ai';
}

function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
