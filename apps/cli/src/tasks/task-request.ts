import { UsageError } from '../command-line/errors.ts';

export interface TaskRequest {
  /** How its result is shown. */
  readonly shape: 'table' | 'matches' | 'text';
  readonly tool: 'read' | 'write' | 'edit' | 'grep';
  readonly args: Readonly<Record<string, string>>;
}

/** The arguments of a subcommand; fields are written `name=value`. */
interface Words {
  readonly words: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
}

const FIELD = /^([a-z_]+)=(.*)$/s;
const ID = /^#?([1-9]\d*)$/;

const READERS: Readonly<Record<string, (words: Words) => TaskRequest>> = {
  list: ({ words, fields }) => ({ shape: 'table', tool: 'read', args: { target: words.join(' '), ...fields } }),
  show: (words) => ({
    shape: 'text',
    tool: 'read',
    args: { target: readId('show', words), ...rejectFields('show', words) },
  }),
  add: ({ words, fields }) => ({ shape: 'text', tool: 'write', args: { ...requireTitle(words, fields), ...fields } }),
  edit: (words) => ({ shape: 'text', tool: 'edit', args: { id: readId('edit', words), ...requireFields(words) } }),
  done: (words) => ({
    shape: 'text',
    tool: 'edit',
    args: { id: readId('done', words), ...words.fields, status: 'done' },
  }),
  grep: ({ words, fields }) => ({ shape: 'matches', tool: 'grep', args: { text: requireWords(words), ...fields } }),
  history: (words) => ({
    shape: 'text',
    tool: 'read',
    args: { target: `history:${readId('history', words)}`, ...words.fields },
  }),
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
  const hint =
    id !== undefined && name !== 'show' ? ` Fields are written name=value: bae tasks edit ${id} status=done` : '';
  throw new UsageError(
    `bae tasks ${name} takes the id of one task; got ${got}.${hint || ` For example: bae tasks ${name} 7`}`,
  );
}

function rejectFields(name: string, { fields }: Words): Readonly<Record<string, string>> {
  const [field] = Object.keys(fields);
  if (field === undefined) return {};
  throw new UsageError(
    `bae tasks ${name} takes no fields; got ${field}=. To change a task: bae tasks edit ID ${field}=…`,
  );
}

function requireFields({ words, fields }: Words): Readonly<Record<string, string>> {
  if (Object.keys(fields).length > 0) return fields;
  throw new UsageError(
    `bae tasks edit needs what is to change: bae tasks edit ${words[0]} status=in_progress tags=+auth`,
  );
}

function requireTitle(
  words: readonly string[],
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (words.length === 0 && fields['title'] === undefined)
    throw new UsageError('bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0');
  return words.length === 0 ? {} : { title: words.join(' ') };
}

function requireWords(words: readonly string[]): string {
  const text = words.join(' ').trim();
  if (text !== '') return text;
  throw new UsageError('bae tasks grep needs words: bae tasks grep login');
}
