import {
  findNearestName,
  ParameterError,
  resourcespace,
  ResourceError,
  tool,
  type Change,
  type Resourcespace,
  type SearchHit,
  type ToolContext,
} from '@bae/core';
import { maskKeys } from '@bae/core/pipeline';
import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { EvidenceReader, type EvidenceSources } from './evidence.ts';
import { parseFact, renderFact, type Evidence, type ReadFact } from './fact-file.ts';
import { refuseSecrets } from './secrets.ts';

/** Folder of the facts in a workspace. */
export const FACTS_FOLDER = '.agents/memory';
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,59}$/u;
const LONGEST = 4000;
const LONGEST_ROW = 90;

const PARAMS = {
  read: () =>
    z.object({
      name: z
        .string()
        .default('')
        .meta({ description: 'A fact; default all', examples: [''] }),
    }),
  write: () =>
    z.object({
      name: z.string().meta({ description: 'One word', examples: ['PORT'] }),
      text: z
        .string()
        .meta({ description: 'The fact, in one or two sentences', examples: ['The port is set in src/server.ts:12'] }),
    }),
  grep: () => z.object({ words: z.string().meta({ description: 'Words to look for', examples: ['port'] }) }),
  delete: () => z.object({ name: z.string().meta({ description: 'A fact', examples: ['PORT'] }) }),
} as const;

/** Verification state of a fact: whether its evidence is unchanged. */
interface Standing {
  readonly kind: 'verified' | 'unverified' | 'foreign';
  /** Description of the changes, for people and models. */
  readonly because: string;
  readonly changed: readonly Evidence[];
  /** Day since which it has been unverified, if known. */
  readonly since?: string;
}

interface FoundFact {
  readonly name: string;
  readonly path: string;
  readonly fact: ReadFact;
}

interface FactsOptions extends Omit<EvidenceSources, 'except'> {
  readonly getKey: () => Uint8Array;
  readonly getFormerKey?: (() => Uint8Array) | undefined;
  readonly now: () => Date;
}

/** Facts about this workspace: files in `.agents/memory`, each with its evidence. */
@resourcespace({
  name: 'facts',
  description: 'Facts about this project; one is shown as unverified once what it rests on has changed.',
})
export class FactsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #evidence: EvidenceReader;
  readonly #getKey: () => Uint8Array;
  readonly #getFormerKey: (() => Uint8Array) | undefined;
  readonly #now: () => Date;

  constructor({ getKey, getFormerKey, now, ...sources }: FactsOptions) {
    this.#root = sources.root;
    this.#evidence = new EvidenceReader({ ...sources, except: FACTS_FOLDER });
    this.#getKey = getKey;
    this.#getFormerKey = getFormerKey;
    this.#now = now;
  }

  async enter(): Promise<string> {
    const { facts, unverified } = await this.count();
    return facts === 0 ? 'No facts yet.' : `${formatQuantity(facts, 'fact')}, ${unverified} not verified.`;
  }

  /** Counts the facts, and those that are not verified. */
  async count(): Promise<{ readonly facts: number; readonly unverified: number }> {
    const standings = await Promise.all((await this.#load()).map(({ fact }) => this.#examine(fact)));
    return { facts: standings.length, unverified: standings.filter(({ kind }) => kind !== 'verified').length };
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const found = (await this.#match(query)).slice(0, limit);
    return Promise.all(
      found.map(async ({ name, fact }) => {
        const { kind } = await this.#examine(fact);
        // First, because a search may cut the end.
        return { target: name, text: `${kind === 'verified' ? '' : `(${kind}) `}${firstRow(fact.text)}` };
      }),
    );
  }

  /** Returns the facts with all words. */
  async #match(query: string): Promise<readonly FoundFact[]> {
    const words = query.toLowerCase().split(/\s+/);
    return (await this.#load()).filter(({ name, fact }) =>
      words.every((word) => `${name} ${fact.text}`.toLowerCase().includes(word)),
    );
  }

  @tool({ description: 'The facts, or one with what it rests on.', params: PARAMS.read })
  async read({ name }: z.output<ReturnType<typeof PARAMS.read>>) {
    if (name === '') return this.#renderList(await this.#load());
    const fact = await this.#find(name);
    return { text: await this.#renderFact(fact), format: 'plain' as const };
  }

  @tool({ description: 'Facts with all of these words.', params: PARAMS.grep, effect: 'read' })
  async grep({ words }: z.output<ReturnType<typeof PARAMS.grep>>) {
    return this.#renderList(await this.#match(words));
  }

  @tool({
    description:
      'A fact; it rests on what it names: files, symbols (shop.cart.Cart.add), result:3.\nWhen it names none, it rests on the files that were read last.',
    params: PARAMS.write,
    body: 'text',
    plan: true,
  })
  async write({ name, text }: z.output<ReturnType<typeof PARAMS.write>>, context: ToolContext): Promise<Change> {
    const fact = text.trim();
    if (!NAME.test(name)) throw new ParameterError(`name: expected one word like PORT; got ${JSON.stringify(name)}.`);
    if (fact === '') throw new ParameterError('text: expected the fact.');
    if (fact.length > LONGEST)
      throw new ParameterError(`text: expected at most ${LONGEST} characters; got ${fact.length}.`);
    await refuseSecrets(this.#root, { name, text: fact });
    const evidence = await this.#evidence.collect(fact, context);
    const content = renderFact({ text: fact, written: this.#now().toISOString(), evidence }, this.#getKey());
    const path = `${FACTS_FOLDER}/${name}.md`;
    const change = await this.#root.open(path, { toChange: true }).planWrite(content);
    const rests =
      evidence.length === 0
        ? 'nothing that was read: it cannot be verified'
        : evidence.map(({ path }) => formatPath(path)).join(', ');
    return change.map(() => ({ text: `Kept ${name} in ${path}. It rests on ${rests}.`, format: 'plain' }));
  }

  @tool({ description: 'The fact that was forgotten.', params: PARAMS.delete, effect: 'write', plan: true })
  async delete({ name }: z.output<ReturnType<typeof PARAMS.delete>>): Promise<Change> {
    const { path } = await this.#find(name);
    const change = await this.#root.open(path, { toChange: true }).planRemove({ action: 'delete' });
    return change.map((_, { tag }) => {
      return { text: `Forgot ${name}. Undo it with ${tag('<home.undo:>')}`, format: 'plain' };
    });
  }

  async #load(): Promise<readonly FoundFact[]> {
    const keys = [this.#getKey(), ...(this.#getFormerKey === undefined ? [] : [this.#getFormerKey()])];
    const files = await readFactFiles(this.#root);
    return files.map(({ name, path, text }) => ({ name, path, fact: parseFact(text, keys) }));
  }

  async #find(name: string) {
    const facts = await this.#load();
    const found =
      facts.find((one) => one.name === name) ?? facts.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const nearest = findNearestName(
      name,
      facts.map((one) => one.name),
    );
    const near = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new ResourceError(`there is no fact ${JSON.stringify(name)}.${near}`, [
      nearest === undefined ? '<R:>' : `<R:${nearest}>`,
    ]);
  }

  async #examine({ isOwn, evidence }: ReadFact): Promise<Standing> {
    if (!isOwn) return { kind: 'foreign', because: 'not written by your bae, or changed since', changed: [] };
    if (evidence.length === 0) return { kind: 'unverified', because: 'it rests on nothing that was read', changed: [] };
    const changed: Evidence[] = [];
    const reasons: string[] = [];
    for (const one of evidence) {
      const now = await this.#evidence.hash(one.path);
      if (now === one.hash) continue;
      changed.push(one);
      reasons.push(`${formatPath(one.path)} ${now === undefined ? 'is gone' : 'changed'}`);
    }
    if (reasons.length === 0) return { kind: 'verified', because: '', changed };
    const since = await this.#findSince(changed);
    return { kind: 'unverified', because: reasons.join(', '), changed, ...(since !== undefined && { since }) };
  }

  /** Finds the day of the earliest change among some files; undefined if none of them exists any longer. */
  async #findSince(changed: readonly Evidence[]): Promise<string | undefined> {
    const infos = await Promise.all(changed.map(({ path }) => this.#root.info(path).catch(() => undefined)));
    const times = infos.flatMap((info) => info?.modified ?? []).toSorted((a, b) => a.getTime() - b.getTime());
    return times[0]?.toISOString().slice(0, 10);
  }

  async #renderList(facts: readonly { readonly name: string; readonly fact: ReadFact }[]) {
    const rows = await Promise.all(
      facts.map(
        async ({ name, fact }) => `${name}  ${firstRow(fact.text)}${renderStanding(await this.#examine(fact))}`,
      ),
    );
    return { text: rows.join('\n') || '(no facts)', format: 'plain' as const, rows: rows.length };
  }

  async #renderFact({ name, fact }: { readonly name: string; readonly fact: ReadFact }): Promise<string> {
    const standing = await this.#examine(fact);
    const head = standing.kind === 'verified' ? 'verified' : renderStanding(standing).trim();
    // Paths in a foreign file must not be followed.
    const own = standing.kind === 'foreign' ? [] : fact.evidence;
    const evidence = await Promise.all(own.map((one) => this.#compare(one)));
    return [
      `${name} -- ${head}; written ${fact.written.slice(0, 10) || 'at an unknown time'}`,
      fact.text,
      ...evidence.flat(),
    ].join('\n');
  }

  /** Renders the lines that a fact names: the old ones, and the current ones if they differ. */
  async #compare({ path, hash, lines }: Evidence): Promise<readonly string[]> {
    const shown = formatPath(path);
    const now = await this.#evidence.hash(path);
    if (now === hash) return [`rests on ${shown}, as it was`];
    if (now === undefined) return [`rests on ${shown}, which is gone`];
    const rows = await this.#evidence.readLines(path);
    const compared = Array.from(lines, ([number, before]) => {
      const after = rows[number - 1] ?? '(no such line)';
      return after === before ? `  ${number}| ${before} (as it was)` : `- ${number}| ${before}\n+ ${number}| ${after}`;
    });
    return [`rests on ${shown}, which changed`, ...compared];
  }
}

async function readFactFiles(root: WorkspaceRoot) {
  if (!(await root.exists(FACTS_FOLDER))) return [];
  const files = (await root.list(FACTS_FOLDER)).filter((file) => file.endsWith('.md'));
  return Promise.all(
    files.map(async (file) => {
      const path = `${FACTS_FOLDER}/${file}`;
      return { name: file.slice(0, -'.md'.length), path, text: (await root.readText(path)).text };
    }),
  );
}

/** Removes the facts of a workspace whose name or text matches, and returns their names. */
export async function forgetFacts(root: WorkspaceRoot, matches: (text: string) => boolean): Promise<readonly string[]> {
  const forgotten = (await readFactFiles(root)).filter(({ name, text }) => matches(`${name}.md\n${text}`));
  for (const { path } of forgotten) await root.remove(path);
  return forgotten.map(({ name }) => name);
}

function renderStanding({ kind, because, since }: Standing): string {
  const day = since === undefined ? '' : ` since ${since}`;
  return kind === 'verified' ? '' : `  (${kind}${day}: ${because})`;
}

function firstRow(text: string): string {
  // Masked before it is cut, since half a key is not masked.
  const [row = ''] = maskKeys(text).split('\n', 1);
  return row.length > LONGEST_ROW ? `${row.slice(0, LONGEST_ROW - 1)}…` : row;
}
