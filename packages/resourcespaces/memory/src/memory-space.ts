import {
  findNearestName,
  inject,
  ParameterError,
  resourcespace,
  ResourceError,
  tool,
  type Provision,
  type Resourcespace,
  type SearchHit,
  type SpaceSource,
  type SpaceTree,
  type ToolContext,
} from '@bae/core';
import type { Entry, EntryFilter, SessionInfo, SessionMemory } from '@bae/store';
import { formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FactsSpace } from './facts-space.ts';
import {
  checkDay,
  countEntries,
  describeChannel,
  isLookup,
  renderDay,
  renderMinute,
  ID,
  renderEntryRow,
  renderFoundEntry,
  renderSessionRow,
} from './render-entries.ts';
import { refuseSecrets, WorkspaceSecrets } from './secrets.ts';

/** Dependencies of a memory. */
export interface MemoryOptions {
  /** Opens the sessions of the workspace, when they are first needed; undefined if none were stored. */
  readonly openStore: () => Promise<SessionMemory | undefined>;
  /** Folder of the remembered sessions, if the store also has sessions of other folders. Default: all. */
  readonly cwd?: string;
  /** True if others also use the store, so that it stays open when the space is disposed of. */
  readonly isShared?: boolean;
  /** Returns the user's secret: facts signed with it are the user's own. */
  readonly getKey: () => Uint8Array;
  /** Returns a secret with which facts were signed before: those are the user's own, too. Default: none. */
  readonly getFormerKey?: () => Uint8Array;
  /** Returns the places of the session, so that their contents can be evidence for facts. */
  readonly getTree?: () => SpaceTree;
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
/** Maximum number of sessions to search for a day or an id. */
const MOST_SEARCHED = 10_000;
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}_:.-]{0,39}$/u;

const PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'A session, a day, an entry (381) or tag:NAME; default the sessions', examples: [''] }),
      from: z.int().min(1).default(1).describe('First entry of the page'),
      whole: z.boolean().default(false).describe('The whole result of a call that was cut'),
    }),
  grep: () =>
    z.object({
      words: z.string().meta({ description: 'Words to look for', examples: ['login'] }),
      session: z.string().default('').describe('Beginning of the id of a session'),
      channel: z.enum(['ai', 'tool', 'run']).optional().describe('ai is prompts and answers'),
      since: z
        .string()
        .default('')
        .meta({ description: 'A day', examples: ['2026-11-21'] }),
      tag: z.string().default('').describe('A tag that they have'),
    }),
  edit: () =>
    z.object({
      entry: z
        .int()
        .min(1)
        .meta({ description: 'Number of an entry', examples: [381] }),
      tags: z.string().meta({ description: '+a adds, -b removes', examples: ['+decision'] }),
    }),
} as const;

/** Earlier sessions in this workspace, and facts from them. */
@resourcespace({
  name: 'memory',
  description: 'Earlier sessions here, and facts about the project.',
  synonyms: ['history', 'conversation', 'remember', 'recall', 'note'],
})
export class MemorySpace implements Resourcespace {
  readonly #options: MemoryOptions;
  readonly #root: WorkspaceRoot;
  readonly #facts: FactsSpace;
  #opened: Promise<SessionMemory | undefined> | undefined;

  constructor(@inject(MEMORY) options: MemoryOptions, @inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#options = options;
    this.#root = root;
    const { getKey, getFormerKey, getTree, now = () => new Date() } = options;
    const keys = { getKey, getFormerKey };
    this.#facts = new FactsSpace({ root, getTree, openStore: () => this.#store(), ...keys, now });
  }

  children(): Readonly<Record<string, SpaceSource>> {
    return { facts: this.#facts };
  }

  async enter(): Promise<string> {
    const { own, leftOut } = await this.#sessions();
    const [latest] = own;
    const entries = countEntries(own.reduce((sum, session) => sum + session.entries, 0));
    const tagged = (await this.#listTagged()).length;
    const last = latest === undefined ? '' : `; latest ${renderDay(latest.started)} (${countEntries(latest.entries)})`;
    const { facts, unverified } = await this.#facts.count();
    const told = `${formatQuantity(own.length, 'session')}, ${entries}; tagged: ${tagged}${last}`;
    return `${told}; ${formatQuantity(facts, 'fact')}, ${unverified} not verified.${leftOut && `\n${leftOut}`}`;
  }

  status(): Promise<Readonly<Record<string, number>>> {
    return this.#facts.count();
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const facts = (await this.#facts.search(query, limit)).map(({ target, text }) => ({
      target: `facts.${target}`,
      text,
    }));
    const entries = (await this.#find(query, { limit })).map((entry) => ({
      target: String(entry.id),
      text: renderFoundEntry(entry, query).replace(/^#\d+ /, ''),
    }));
    return [...facts, ...entries].slice(0, limit);
  }

  @tool({ description: 'Sessions, one of them, or an entry (381).', params: PARAMS.read })
  async read({ target, from, whole }: z.output<ReturnType<typeof PARAMS.read>>, { tag: toTag }: ToolContext) {
    const wanted = target.trim();
    const [, fact] = /^facts\.(.+)$/.exec(wanted) ?? [];
    if (fact !== undefined) return this.#facts.read({ name: fact });
    const [, tag] = /^tag:(.*)$/.exec(wanted) ?? [];
    if (tag !== undefined) return this.#readTag(tag, from, toTag);
    // The id of a session may begin with digits only, but with more of them.
    if (/^#?\d{1,10}$/.test(wanted))
      return this.#readEntry(await this.#findEntry(Number(wanted.replace('#', ''))), whole, toTag);
    const { own, leftOut } = await this.#sessions();
    if (wanted === '') return this.#renderSessions(own, toTag, leftOut);
    if (/^\d{4}-\d\d-\d\d$/.test(wanted)) {
      checkDay('target', wanted);
      const ofDay = own.filter(({ started }) => renderDay(started) === wanted);
      return this.#renderSessions(ofDay, toTag);
    }
    return this.#readSession(chooseSession(own, wanted), from, toTag);
  }

  @tool({ description: 'Prompts, answers and outputs with these words, best first.', params: PARAMS.grep })
  async grep({ words, session, channel, since, tag }: z.output<ReturnType<typeof PARAMS.grep>>) {
    if (since !== '') checkDay('since', since);
    const filter = {
      ...(session !== '' && { session: chooseSession((await this.#sessions()).own, session).id }),
      ...(channel !== undefined && { channel }),
      ...(since !== '' && { since: new Date(`${since}T00:00:00Z`) }),
      ...(tag !== '' && { tag }),
    };
    const found = await this.#find(words, { ...filter, limit: MOST_HITS });
    const counted = { ...filter, ...this.#place(), limit: MOST_COUNTED };
    const total = (await (await this.#store())?.countMatches(words, counted)) ?? found.length;
    const rows = found.map((entry) => renderFoundEntry(entry, words));
    if (total > found.length && found.length === MOST_HITS)
      rows.push(
        `[${found.length} of ${total >= MOST_COUNTED ? `more than ${MOST_COUNTED}` : total}; narrow with session=, since=, tag=]`,
      );
    if (rows.length === 0) {
      const { leftOut } = await this.#sessions();
      rows.push('(no matches)', ...(leftOut === '' ? [] : [`[${leftOut}]`]));
    }
    return { text: rows.join('\n'), format: 'plain' as const, rows: total };
  }

  @tool({ description: 'The tags of an entry. What was said cannot be changed.', params: PARAMS.edit, effect: 'write' })
  async edit({ entry: id, tags }: z.output<ReturnType<typeof PARAMS.edit>>) {
    const entry = await this.#findEntry(id);
    const given = tags.split(/[\s,]+/).filter((tag) => tag !== '');
    const wrong = given.find((tag) => !TAG.test(tag.replace(/^[+-]/, '')));
    if (wrong !== undefined || given.length === 0)
      throw new ParameterError(
        `tags: expected words like +decision or -decision; got ${JSON.stringify(wrong ?? tags)}.`,
      );
    await refuseSecrets(this.#root, { tags });
    const store = (await this.#store())!;
    const remove = given.filter((tag) => tag.startsWith('-')).map((tag) => tag.slice(1));
    await store.tag(entry.id, {
      add: given.filter((tag) => !tag.startsWith('-')).map((tag) => tag.replace(/^\+/, '')),
      remove,
    });
    return `#${id} has ${renderTags(await store.tagsOf(id))}.`;
  }

  async dispose(): Promise<void> {
    const opened = await this.#opened;
    this.#opened = undefined;
    if (!this.#options.isShared) await opened?.close();
  }

  #store(): Promise<SessionMemory | undefined> {
    if (this.#opened !== undefined) return this.#opened;
    const opened = this.#options.openStore();
    // After a failure, such as a database that was locked for too long, the next call tries again.
    opened.catch(() => (this.#opened = undefined));
    return (this.#opened = opened);
  }

  /** Returns the filter that every query needs. */
  #place(): Pick<EntryFilter, 'cwd'> {
    const { cwd } = this.#options;
    return cwd === undefined ? {} : { cwd };
  }

  /** Lists the tagged entries that are the user's own. */
  async #listTagged(): Promise<readonly Entry[]> {
    const filter = { tag: true, ...this.#place() } as const;
    const tagged = await (await this.#store())?.entries(filter, { limit: MOST_SEARCHED });
    return tagged?.filter(({ isOwn }) => isOwn !== false) ?? [];
  }

  /** Counts the user's own entries by tag. */
  async #tags(): Promise<ReadonlyMap<string, number>> {
    const store = await this.#store();
    const counts = new Map<string, number>();
    for (const { id } of await this.#listTagged())
      for (const tag of (await store?.tagsOf(id)) ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return new Map(Array.from(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Lists the sessions that the user's own bae has started, newest first, and describes the others in one line. */
  async #sessions(): Promise<{ readonly own: readonly SessionInfo[]; readonly leftOut: string }> {
    const sessions = (await (await this.#store())?.sessions(MOST_SEARCHED, this.#options.cwd)) ?? [];
    const own = sessions.filter(({ isOwn }) => isOwn !== false);
    const left = sessions.length - own.length;
    const are = left === 1 ? '1 session is' : `${left} sessions are`;
    const leftOut = `${are} left out: not signed by this user's bae, or from before it signed them. The user sees them by bae sessions, and continues one by bae --resume ID.`;
    return { own, leftOut: left === 0 ? '' : leftOut };
  }

  async #find(
    query: string,
    { limit, ...filter }: EntryFilter & { readonly limit: number },
  ): Promise<readonly Entry[]> {
    // Some of the matches may be foreign, or look-ups of the rest.
    const most = Math.max(limit * 2, MOST_RANKED);
    const found = (await (await this.#store())?.search(query, { ...filter, ...this.#place(), limit: most })) ?? [];
    const [said = [], echoes = []] = [false, true].map((wanted) => found.filter((one) => isLookup(one) === wanted));
    return (await this.#show([...said, ...echoes])).slice(0, limit);
  }

  /** Leaves out what is foreign, and masks secrets: before a text is cut or marked, since half a key is not masked. */
  async #show(entries: readonly Entry[] = []): Promise<readonly Entry[]> {
    const own = entries.filter(({ isOwn }) => isOwn !== false);
    if (own.length === 0) return own;
    const secrets = await WorkspaceSecrets.load(this.#root);
    return Promise.all(
      own.map(async (entry) => {
        const text = await this.#nameRepeated(entry);
        const isCut = entry.meta['truncated'] === true;
        return { ...entry, content: isCut ? secrets.maskBeginning(text) : secrets.mask(text) };
      }),
    );
  }

  /** Returns the content of an entry; for a call that repeated another one, with the number of the entry of that one. */
  async #nameRepeated(entry: Entry): Promise<string> {
    const [, tag] = REPEATED.exec(entry.content) ?? [];
    if (tag === undefined) return entry.content;
    const store = (await this.#store())!;
    let before: Entry | undefined = entry;
    for (let step = 0; step < MOST_BACK && before !== undefined; step++) {
      const { previous }: { readonly previous?: number } = await store.neighbours(before);
      before = previous === undefined ? undefined : await store.entry(previous);
      const isSame = before?.content.startsWith(`${tag}\n`) === true && !REPEATED.test(before.content);
      if (isSame) return `${tag}\n(the same as entry ${before!.id})`;
    }
    return `${tag}\n(the same as before)`;
  }

  async #findEntry(id: number): Promise<Entry> {
    const store = await this.#store();
    const entry = await store?.entry(id);
    const filter = { session: entry?.session ?? '', ...this.#place() };
    const isHere = entry !== undefined && (await store?.entries(filter, { limit: 1 }))?.length === 1;
    const [shown] = isHere ? await this.#show([entry]) : [];
    if (shown === undefined) throw new ResourceError(`there is no entry ${id}.`, ['<R:>']);
    return shown;
  }

  async #renderSessions(sessions: readonly SessionInfo[], toTag: ToolContext['tag'], leftOut = '') {
    const store = await this.#store();
    const listed = sessions.slice(0, MOST_SESSIONS);
    const first = listed.map(async ({ id }) => (await store?.entries({ session: id }, { limit: 1 })) ?? []);
    const shown = await this.#show((await Promise.all(first)).flat());
    const rows = listed.map((session) =>
      renderSessionRow(
        session,
        shown.find((one) => one.session === session.id),
      ),
    );
    const more = sessions.length - rows.length;
    if (more > 0) rows.push(`… ${more} older sessions: ${toTag('<R:2026-01-31>')} lists those of a day`);
    if (rows.length === 0) rows.push('(no sessions)');
    const text = [...rows, ...(leftOut === '' ? [] : [`[${leftOut}]`])].join('\n');
    return { text, format: 'plain' as const, rows: sessions.length };
  }

  async #readSession({ id, started, cwd, entries: total }: SessionInfo, first: number, toTag: ToolContext['tag']) {
    if (first > Math.max(1, total)) {
      const last = Math.max(1, total - PAGE + 1);
      throw new ParameterError(`from: the session has ${countEntries(total)}; got ${first}.`, [
        `<R:${id.slice(0, ID)} from=${last}>`,
      ]);
    }
    const entries = await (await this.#store())!.entries({ session: id }, { from: first - 1, limit: PAGE });
    const last = first + entries.length - 1;
    const next = last < total ? `; next: ${toTag(`<R:${id.slice(0, ID)} from=${last + 1}>`)}` : '';
    const rows = [
      `${id.slice(0, ID)}  ${renderDay(started)}  ${cwd}`,
      ...(await this.#show(entries)).map(renderEntryRow),
      total === 0 ? '(no entries)' : `[entries ${first}-${last} of ${total}${next}]`,
    ];
    return { text: rows.join('\n'), format: 'plain' as const, rows: total };
  }

  async #readTag(tag: string, first: number, toTag: ToolContext['tag']) {
    const tags = await this.#tags();
    if (tag === '') return Array.from(tags, ([name, count]) => `${name} (${count})`).join('\n') || '(no tags)';
    const page = { from: first - 1, limit: PAGE };
    const entries = await this.#show(await (await this.#store())?.entries({ tag, ...this.#place() }, page));
    const near = entries.length === 0 ? findNearestName(tag, [...tags.keys()]) : undefined;
    const none = `(no entry has the tag ${tag})${near === undefined ? '' : ` Did you mean ${toTag(`<R:tag:${near}>`)}?`}`;
    const more =
      (tags.get(tag) ?? 0) >= first + PAGE ? [`[next: ${toTag(`<R:tag:${tag} from=${first + PAGE}>`)}]`] : [];
    const rows = [...entries.map(renderEntryRow), ...more];
    return { text: rows.join('\n') || none, format: 'plain' as const, rows: entries.length };
  }

  async #readEntry(entry: Entry, isWhole: boolean, toTag: ToolContext['tag']) {
    const store = (await this.#store())!;
    const { id, session, meta } = entry;
    const ref = typeof meta['ref'] === 'string' ? meta['ref'] : undefined;
    const kept = ref === undefined ? undefined : await store.keptResult(session, ref);
    const whole = isWhole && kept !== undefined ? (await WorkspaceSecrets.load(this.#root)).mask(kept) : undefined;
    const { previous, next } = await store.neighbours(entry);
    const tags = await store.tagsOf(id);
    const notes = [
      ...(meta['truncated'] === true && whole === undefined ? ['the rest was not kept for searching'] : []),
      ...(kept !== undefined && whole === undefined ? [`whole result: ${toTag(`<R:${id} whole=true>`)}`] : []),
      ...(tags.length > 0 ? [renderTags(tags)] : []),
      ...(previous === undefined ? [] : [`previous: ${toTag(`<R:${previous}>`)}`]),
      ...(next === undefined ? [] : [`next: ${toTag(`<R:${next}>`)}`]),
    ];
    const head = `#${id}  ${session.slice(0, ID)}  ${renderMinute(entry.time)}  ${describeChannel(entry)}`;
    const foot = notes.length === 0 ? '' : `\n[${notes.join('; ')}]`;
    return { text: `${head}\n${whole ?? entry.content}${foot}`, format: 'plain' as const };
  }
}

/** Number of matches to look through for what is no look-up. */
const MOST_RANKED = 100;
/** Matches what is stored of a call that repeated another one of the same response. */
const REPEATED = /^(<[^\n]*)\n\(same as #\d+\)$/;
/** Maximum number of entries to go back to the repeated one. */
const MOST_BACK = 30;

/** Maximum number of counted matches. */
const MOST_COUNTED = 1000;

function renderTags(tags: readonly string[]): string {
  return tags.length === 0 ? 'no tags' : `tags: ${tags.join(', ')}`;
}

function chooseSession(sessions: readonly SessionInfo[], beginning: string): SessionInfo {
  const [found, ...others] = sessions.filter(({ id }) => id.startsWith(beginning));
  if (found !== undefined && others.length === 0) return found;
  const reason = found === undefined ? 'no session begins' : `${others.length + 1} sessions begin`;
  throw new ResourceError(`${reason} with ${JSON.stringify(beginning)}.`, ['<R:>']);
}
