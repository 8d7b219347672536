import type { CallWriter } from '@bae/tasks';

/** Writes calls of the tasks space as what a person types for them. */
export const TASK_COMMANDS: CallWriter = {
  list: (filters, from = 1) => (filters === '' && from === 1 ? 'bae tasks' : command('list', filters, fromField(from))),
  show: (id) => command('show', String(id)),
  history: (id, from) => command('history', String(id), fromField(from)),
  titles: () => command('list', 'all:'),
  search: (text, from) => command('grep', quote(text), fromField(from)),
  create: ({ title, priority, parent, body = '' }) => {
    // A word with = would be a field.
    const words = [quote(/[<>=\p{Cc}]/u.test(title) ? 'Title' : title)];
    if (priority !== undefined) words.push(`priority=${priority.major}.${priority.minor}.${priority.patch}`);
    if (parent !== undefined) words.push(`parent=${parent}`);
    return command('add', ...words) + bodyOf(body);
  },
  edit: (id, fields, body = '') => command('edit', String(id), ...Object.entries(fields).map(field)) + bodyOf(body),
};

function command(...words: readonly string[]): string {
  return ['bae tasks', ...words.filter((word) => word !== '')].join(' ');
}

function fromField(from = 1): string {
  return from === 1 ? '' : `from=${from}`;
}

function bodyOf(body: string): string {
  return body === '' ? '' : ` body=- <<'END'\n${body}\nEND`;
}

function field([name, value]: readonly [string, string]): string {
  const isPlainText = /^[\p{L}\p{N}\s.,:/+-]*$/u.test(value);
  return `${name}=${isPlainText && /\s/.test(value) ? `"${value}"` : quote(value)}`;
}

/** A word as any shell takes it. */
function quote(text: string): string {
  return /^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
