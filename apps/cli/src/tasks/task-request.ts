import { UsageError } from '../command-line/errors.ts';

export interface TaskRequest {
  readonly tool: 'read' | 'write' | 'edit' | 'grep';
  readonly args: Readonly<Record<string, string>>;
  /** Maximum number of rows in a list. Default: those of a page. */
  readonly most?: number;
}

const MOST_ROWS = 200;

/** Arguments of a subcommand; fields are written `name=value`. */
interface Words {
  readonly words: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
}

const FIELD = /^([a-z_]+)=(.*)$/s;
const ID = /^#?([1-9]\d*)$/;

const READERS: Readonly<Record<string, (given: Words) => TaskRequest>> = {
  list: ({ words, fields }) => ({ tool: 'read', args: { target: words.join(' '), ...fields }, most: MOST_ROWS }),
  show: (given) => {
    const target = readId('show', given);
    const [field] = Object.keys(given.fields);
    if (field === undefined) return { tool: 'read', args: { target } };
    const remedy = `To change a task: bae tasks edit ID ${field}=…`;
    throw new UsageError(`bae tasks show takes no fields; got ${field}=. ${remedy}`);
  },
  add: ({ words, fields }) => {
    if (words.length === 0 && fields['title'] === undefined)
      throw new UsageError('bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0');
    const title = words.length === 0 ? {} : { title: words.join(' ') };
    return { tool: 'write', args: { ...title, ...fields } };
  },
  edit: (given) => {
    const id = readId('edit', given);
    if (Object.keys(given.fields).length > 0) return { tool: 'edit', args: { id, ...given.fields } };
    const example = `bae tasks edit ${given.words[0]} status=in_progress tags=+auth`;
    throw new UsageError(`bae tasks edit needs what is to change: ${example}`);
  },
  done: (given) => {
    const id = readId('done', given);
    return { tool: 'edit', args: { id, ...given.fields, status: 'done' } };
  },
  grep: ({ words, fields }) => {
    const text = words.join(' ').trim();
    if (text === '') throw new UsageError('bae tasks grep needs words: bae tasks grep login');
    return { tool: 'grep', args: { text, ...fields }, most: MOST_ROWS };
  },
  history: (given) => {
    const target = `history:${readId('history', given)}`;
    return { tool: 'read', args: { target, ...given.fields } };
  },
};

/** Parses the arguments of `bae tasks`. @throws UsageError for an unknown subcommand, or missing arguments */
export function parseTaskRequest([name = 'list', ...rest]: readonly string[]): TaskRequest {
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (read === undefined) throw createSubcommandError(name);
  const fields = rest.flatMap((word) => (FIELD.test(word) ? [FIELD.exec(word)!.slice(1) as [string, string]] : []));
  return read({ words: rest.filter((word) => !FIELD.test(word)), fields: Object.fromEntries(fields) });
}

function createSubcommandError(name: string): UsageError {
  const id = ID.exec(name)?.[1];
  if (id !== undefined) return new UsageError(`no subcommand '${name}'. To see the task: bae tasks show ${id}`);
  const candidates = Object.keys(READERS);
  return new UsageError(`bae tasks has no subcommand '${name}'.`, { unknown: { name, candidates } });
}

function readId(name: string, { words }: Words): string {
  const [word = '', ...more] = words;
  const id = ID.exec(word)?.[1];
  if (id !== undefined && more.length === 0) return id;
  const got = words.length === 0 ? 'nothing' : JSON.stringify(words.join(' '));
  const isField = id !== undefined && name !== 'show';
  const hint = isField
    ? `Fields are written name=value: bae tasks edit ${id} status=done`
    : `For example: bae tasks ${name} 7`;
  throw new UsageError(`bae tasks ${name} takes the id of one task; got ${got}. ${hint}`);
}
