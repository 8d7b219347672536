const TAG = /<(?:tasks\.)?(R|E|W|G|Grep):([^\n<>]*)>(?:\n([^]*?)\n<\/[EW]>|<\/[EW]>)?/g;
/** Fields at the end of what follows a title. */
const FIELDS = /^(.*?)((?: [a-z_]+=\S+)*)$/s;

/** A text in which the tags of the tasks space have become what a person types for them at the command line. */
export function asCommands(text: string): string {
  return text.replaceAll(TAG, (...match: readonly (string | undefined)[]) => {
    const [, verb = '', argument = '', body] = match;
    const command = `bae tasks ${wordsFor(verb, argument)}`.trimEnd();
    return body === undefined ? command : `${command} body=- <<'END'\n${body}\nEND`;
  });
}

function wordsFor(verb: string, argument: string): string {
  if (verb === 'E') return `edit ${argument}`;
  if (verb === 'G') return 'list all:';
  const [, first = '', fields = ''] = FIELDS.exec(argument) ?? [];
  if (verb === 'W') return `add ${quoted(first)}${fields}`;
  if (verb === 'Grep') return `grep ${quoted(first)}${fields}`;
  if (first === '') return fields === '' ? '' : `list${fields}`;
  if (/^\d+$/.test(first)) return `show ${first}`;
  return first.startsWith('history:') ? `history ${first.slice('history:'.length)}${fields}` : `list ${first}${fields}`;
}

/** A word as any shell takes it. */
function quoted(text: string): string {
  return /^[\w.,/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
