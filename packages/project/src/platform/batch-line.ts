/** Options of `cmd.exe`: no start-up commands, `!` means nothing, and what follows is one quoted line. */
export const SHELL_OPTIONS: readonly string[] = ['/d', '/e:on', '/v:off', '/s', '/c'];

/** Words that mean the same with and without quotes. */
const PLAIN = /^[\w\\/.:@+-]+$/;

/**
 * Matches what a batch file cannot be given. A batch file puts its arguments into lines that `cmd.exe` reads once more,
 * with or without their quotes, so nothing protects these characters: neither `^` nor quotes nor doubling.
 */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /["%!&|<>^\u0000-\u0008\u000A-\u001F]/;

/** Explains why an argument cannot be handed to a batch file; undefined if all can. */
export function explainUnsafe(file: string, args: readonly string[]): string | undefined {
  const name = file.slice(file.search(/[^\\/]*$/));
  // Quotes protect all but these.
  if (/["%\r\n]/.test(file)) return `${name} cannot be started: cmd.exe reads the path ${file} as syntax.`;
  const unsafe = args.find((arg) => UNSAFE.test(arg));
  if (unsafe === undefined) return undefined;
  const [found = ''] = UNSAFE.exec(unsafe) ?? [];
  const what = found < ' ' ? 'a new line or control character' : found;
  return `the argument ${JSON.stringify(unsafe)} cannot be handed to ${name}: cmd.exe runs batch files, and could run ${what} in it as a command.`;
}

/** Makes the line with which `cmd.exe` starts a batch file; its arguments are safe. */
export function makeBatchLine(file: string, args: readonly string[]): string {
  return `"${[`"${file}"`, ...args.map(quoteForBatch)].join(' ')}"`;
}

function quoteForBatch(arg: string): string {
  // A program that gets the argument reads a backslash before a quote as its escape.
  return PLAIN.test(arg) && !arg.endsWith('\\') ? arg : `"${arg}${/\\*$/.exec(arg)![0]}"`;
}
