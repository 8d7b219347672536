import { reduceToLetters } from '../tool-result.ts';

/** A list of the protocol, by the field of the answer that has it. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** Maximum number of entries that are read: servers have a few hundred tools, but may have a resource for each file. */
const MOST_ENTRIES: Readonly<Record<ListName, number>> = {
  tools: 2000,
  prompts: 2000,
  resources: 20_000,
  resourceTemplates: 2000,
};
/** Maximum number of pages of a list. */
const MOST_PAGES = 64;
/** Maximum size of one entry, and of all. The largest of 392 tools of real servers has 15,000 characters, 270 values. */
const ENTRY_SIZE: ValueSize = { characters: 250_000, values: 5000, depth: 64 };
const LIST_SIZE = { characters: 4_000_000, values: 100_000 };
/** Maximum length of a name, in UTF-16 code units; the protocol recommends 128. */
const LONGEST_NAME = 250;
/** Maximum number of entries that are named when they are left out; the others are counted. */
const MOST_NAMED = 5;

/**
 * One reading of a list of a server, page by page. It passes on the entries that are as the protocol requires, with
 * only the fields that are used here, so that a wrong entry or an endless list does not cost the others.
 */
export class ListReading {
  readonly list: ListName;
  #pages = 0;
  #seen = 0;
  #characters = 0;
  #values = 0;
  #wrong = 0;
  /** The first wrong entries, and what is wrong with each. */
  readonly #named: string[] = [];
  #isCut = false;

  constructor(list: ListName) {
    this.list = list;
  }

  /** Returns the entries of the next page that can be used. */
  take(page: readonly unknown[], hasMore: boolean): readonly object[] {
    const taken: object[] = [];
    for (const entry of page) {
      this.#isCut = this.#isFull();
      if (this.#isCut) return taken;
      this.#seen++;
      const picked = pickFields(this.list, entry);
      const size = measureValue(picked, ENTRY_SIZE);
      this.#characters += size.characters;
      this.#values += size.values;
      const mistake = exceeds(size, ENTRY_SIZE) ? 'too large' : findMistake(SHAPES[this.list], picked);
      if (mistake === undefined) taken.push(picked);
      else this.#leaveOut(picked, mistake);
    }
    this.#isCut = hasMore && (++this.#pages === MOST_PAGES || this.#isFull());
    return taken;
  }

  /** True if the server has more entries than are read. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Says in one line what was left out; empty if nothing was. */
  describeLeftOut(): string {
    const noun = this.list === 'resourceTemplates' ? 'resource templates' : this.list;
    const others = this.#wrong - this.#named.length;
    const names = [...this.#named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
    const wrong = `${this.#wrong} of its ${noun} ${this.#wrong === 1 ? 'was' : 'were'} left out: ${names}.`;
    const cut = `Its ${noun} after the first ${this.#seen} were left out.`;
    return [...(this.#wrong > 0 ? [wrong] : []), ...(this.#isCut ? [cut] : [])].join(' ');
  }

  #isFull(): boolean {
    return (
      this.#seen >= MOST_ENTRIES[this.list] ||
      this.#characters > LIST_SIZE.characters ||
      this.#values > LIST_SIZE.values
    );
  }

  #leaveOut({ name }: Fields, mistake: string): void {
    this.#wrong++;
    if (this.#named.length === MOST_NAMED) return;
    const shown = isName(name) ? reduceToLetters(name) : `no. ${this.#seen}`;
    this.#named.push(`${shown} (${mistake})`);
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

/** Tests of the fields of an object: of those that it must have, and of those that it may have. */
interface Shape {
  readonly needed: Readonly<Record<string, Test>>;
  readonly known: Readonly<Record<string, Test>>;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isName = (value: unknown): value is string => isText(value) && value !== '' && value.length <= LONGEST_NAME;
const isFlag: Test = (value) => typeof value === 'boolean';
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasShape(shape: Shape): Test {
  return (value) => isObject(value) && findMistake(shape, value) === undefined;
}

function isListOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every(test);
}

const WORDS = { title: isText, description: isText };
const SCHEMA = hasShape({
  needed: { type: (value) => value === 'object' },
  known: { $schema: isText, properties: isObject, required: isListOf(isText) },
});
const HINTS = hasShape({
  needed: {},
  known: {
    title: isText,
    readOnlyHint: isFlag,
    destructiveHint: isFlag,
    idempotentHint: isFlag,
    openWorldHint: isFlag,
  },
});
const ARGUMENTS = isListOf(hasShape({ needed: { name: isText }, known: { ...WORDS, required: isFlag } }));

/** The fields that are used of each list. */
const SHAPES: Readonly<Record<ListName, Shape>> = {
  tools: {
    needed: { name: isName, inputSchema: SCHEMA },
    known: { ...WORDS, outputSchema: SCHEMA, annotations: HINTS },
  },
  prompts: { needed: { name: isName }, known: { ...WORDS, arguments: ARGUMENTS } },
  resources: { needed: { uri: isText, name: isText }, known: { ...WORDS, mimeType: isText } },
  resourceTemplates: { needed: { uriTemplate: isText, name: isText }, known: { ...WORDS, mimeType: isText } },
};

/** Picks the fields of an entry that are used; null counts as missing. */
function pickFields(list: ListName, entry: unknown): Fields {
  const { needed, known } = SHAPES[list];
  const fields = Object(entry) as Fields;
  const names = [...Object.keys(needed), ...Object.keys(known)].filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(names.filter((name) => fields[name] !== null).map((name) => [name, fields[name]]));
}

/** Finds the first field that is missing or wrong. */
function findMistake({ needed, known }: Shape, fields: Fields): string | undefined {
  const missing = Object.keys(needed).find((name) => fields[name] === undefined);
  if (missing !== undefined) return `no ${missing}`;
  const tests = Object.entries({ ...needed, ...known });
  const wrong = tests.find(([name, test]) => fields[name] !== undefined && !test(fields[name]));
  return wrong && `wrong ${wrong[0]}`;
}

/** Size of a JSON value. */
export interface ValueSize {
  /** Length of its texts and of the names of its fields, in UTF-16 code units. */
  readonly characters: number;
  /** Number of values in it, itself included. */
  readonly values: number;
  /** Maximum number of objects and lists inside each other. */
  readonly depth: number;
}

/** Measures a JSON value until it exceeds a limit; of one that does, the result says only that. */
export function measureValue(value: unknown, limit: ValueSize): ValueSize {
  let size: ValueSize = { characters: 0, values: 1, depth: 0 };
  // Level by level, because a value can be nested deeper than calls.
  for (let level: readonly unknown[] = [value]; level.length > 0 && !exceeds(size, limit);) {
    const next: unknown[] = [];
    let { characters, values } = size;
    for (const one of level) {
      if (typeof one === 'string') characters += one.length;
      if (typeof one !== 'object' || one === null) continue;
      const inner = Array.isArray(one) ? (one as readonly unknown[]) : Object.values(one);
      if (!Array.isArray(one)) for (const name of Object.keys(one)) characters += name.length;
      values += inner.length;
      if (values > limit.values || characters > limit.characters) break;
      next.push(...inner);
    }
    size = { characters, values, depth: next.length > 0 ? size.depth + 1 : size.depth };
    level = next;
  }
  return size;
}

/** Tests whether a size is over a limit. */
export function exceeds(size: ValueSize, limit: ValueSize): boolean {
  return size.characters > limit.characters || size.values > limit.values || size.depth > limit.depth;
}
