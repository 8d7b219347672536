const FIELDS = ['text', 'format', 'paged', 'whole', 'rows', 'hint', 'errors'];
const FORMATS = ['markdown', 'code', 'plain'];

interface Fields {
  readonly text: string;
  readonly rows?: unknown;
  readonly format?: unknown;
  readonly whole?: unknown;
}

/** Why what a tool returned is no good answer, as the end of a sentence; undefined when it is one. */
export function outputProblem(returned: unknown): string | undefined {
  if (returned === undefined || returned === null)
    return 'nothing, which reads (no output). Say what was done or found.';
  if (typeof returned === 'string')
    return returned.trim() === '' ? 'an empty text. Say that there is nothing.' : undefined;
  if (typeof returned !== 'object' || !('text' in returned) || typeof returned.text !== 'string') return undefined;
  const stranger = Object.keys(returned).find((key) => !FIELDS.includes(key));
  if (stranger !== undefined) return strangerIn(stranger);
  return fieldProblem(returned as Fields);
}

function fieldProblem({ text, rows, format, whole }: Fields): string | undefined {
  if (text.trim() === '') return 'an empty text. Say that there is nothing.';
  const isCount = rows === undefined || (Number.isInteger(rows) && (rows as number) >= 0);
  if (!isCount) return `rows: ${JSON.stringify(rows)}. It is how many rows the whole answer has.`;
  if (whole !== undefined && typeof whole !== 'function') {
    return 'whole as something else than a function. It is called when code asked, and gives the whole text.';
  }
  const isFormat = format === undefined || FORMATS.includes(format as string);
  return isFormat ? undefined : `format: ${JSON.stringify(format)}. There are ${FORMATS.join(', ')}.`;
}

function strangerIn(key: string): string {
  return `a text with the field ${key}, so that all of it is shown as JSON. An answer has ${FIELDS.join(', ')}.`;
}
