import { formatPriority, type Priority } from '../task-fields.ts';
import type { SettableStatus } from '../task.ts';

/** Fields of an example task. */
interface TaskExample {
  readonly priority?: Priority | undefined;
  readonly parent?: number | undefined;
  /** Ids of the tasks that it comes after. */
  readonly after?: readonly number[];
  readonly status?: SettableStatus | undefined;
}

/** Writes calls for the reader of a text: tags for a model, commands for a person. `from` is the first row. */
export interface CallWriter {
  /** @param filters as written in the call; empty for all active tasks */
  list(filters: string, from?: number): string;
  show(id: number): string;
  history(id: number, from?: number): string;
  titles(pattern: string, from?: number): string;
  search(text: string, from?: number): string;
  /** @param fields the fields of `<W:>` besides title and body, as text */
  create(title: string, fields?: Readonly<Record<string, string>>, body?: string): string;
  edit(id: number, fields: Readonly<Record<string, string>>, body?: string): string;
}

/**
 * Creates a writer of tags.
 *
 * @param qualify makes a tag of this space valid at the caller's location. Default: unchanged
 */
export function createTagWriter(qualify: (tag: string) => string = (tag) => tag): CallWriter {
  const write = (name: 'R' | 'G' | 'Grep', ...words: readonly string[]): string =>
    qualify(`<${name}:${words.filter((word) => word !== '').join(' ')}>`);
  return {
    list: (filters, from) => write('R', filters, writeFirstRow(from)),
    show: (id) => write('R', String(id)),
    history: (id, from) => write('R', `history:${id}`, writeFirstRow(from)),
    titles: (pattern, from) => write('G', toTagPattern(pattern), writeFirstRow(from)),
    search: (text, from) => write('Grep', text.replaceAll(/\s+/gu, ' '), writeFirstRow(from)),
    create: (title, fields = {}, body = '') => {
      // An example must not contain characters that cannot be used in a tag.
      const writable = /[<>=\p{Cc}]/u.test(title) ? 'Title' : title;
      const words = [writable, ...writeFields(fields)];
      return qualify(`<W:${words.join(' ')}>${body === '' ? '' : `\n${body}\n`}</W>`);
    },
    edit: (id, fields, body) =>
      qualify(`<E:${[id, ...writeFields(fields)].join(' ')}>${body === undefined ? '' : `\n${body}\n</E>`}`),
  };
}

/** Formats the fields of an example task as text. */
export function formatExampleFields({
  priority,
  parent,
  after,
  status,
}: TaskExample): Readonly<Record<string, string>> {
  return {
    ...(priority !== undefined && { priority: formatPriority(priority) }),
    ...(parent !== undefined && { parent: String(parent) }),
    ...(after !== undefined && { after: after.join(', ') }),
    ...(status !== undefined && { status }),
  };
}

/** Makes a pattern usable in a tag: `?` replaces characters that tags cannot contain. */
export function toTagPattern(pattern: string): string {
  return pattern.replaceAll(/[<>]|\s/gu, (character) => (character === ' ' ? ' ' : '?'));
}

function writeFirstRow(from = 1): string {
  return from === 1 ? '' : `from=${from}`;
}

function writeFields(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(fields).map(
    ([name, value]) => `${name}=${/^[\w.:/+-]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
}
