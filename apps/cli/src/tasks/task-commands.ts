import type { CallWriter } from '@bae/tasks';

/** Renders calls of the tasks space as commands. */
export const TASK_COMMANDS: CallWriter = {
  list: (filters, from = 1) =>
    filters === '' && from === 1 ? 'bae tasks' : writeCommand('list', filters, writeFrom(from)),
  show: (id) => writeCommand('show', String(id)),
  history: (id, from) => writeCommand('history', String(id), writeFrom(from)),
  titles: () => writeCommand('list', 'all:'),
  search: (text, from) => writeCommand('grep', quote(text), writeFrom(from)),
  create: (title, fields = {}, body = '') => {
    // A word with = would be parsed as a field.
    const word = quote(/[<>=\p{Cc}]/u.test(title) ? 'Title' : title);
    return writeCommand('add', word, ...Object.entries(fields).map(writeField)) + writeBody(body);
  },
  edit: (id, fields, body = '') =>
    writeCommand('edit', String(id), ...Object.entries(fields).map(writeField)) + writeBody(body),
};

function writeCommand(...words: readonly string[]): string {
  return ['bae tasks', ...words.filter((word) => word !== '')].join(' ');
}

function writeFrom(from = 1): string {
  return from === 1 ? '' : `from=${from}`;
}

function writeBody(body: string): string {
  return body === '' ? '' : ` body=- <<'END'\n${body}\nEND`;
}

function writeField([name, value]: readonly [string, string]): string {
  const isPlainText = /^[\p{L}\p{N}\s.,:/+-]*$/u.test(value);
  return `${name}=${isPlainText && /\s/.test(value) ? `"${value}"` : quote(value)}`;
}

/** Quotes a word for any shell. */
function quote(text: string): string {
  return /^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
