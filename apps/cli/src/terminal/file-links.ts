import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { getPathKind } from '../config/disk.ts';
import { encodePath } from '../config/path-spelling.ts';

/** Extensions of files that an editor opens. */
const ENDINGS =
  'c|cc|cfg|conf|cpp|cs|css|csv|cts|go|h|hpp|html|ini|java|js|json|jsonc|jsx|kt|less|lua|md|mdx|mjs|mts|php|pl|py|rb|rs|scss|sh|sql|svelte|swift|toml|ts|tsx|txt|vue|xml|yaml|yml|zig';
/**
 * Path with an optional line and column, not part of a longer path, an address or a link. Python writes it as `File
 * "a.py", line 10`.
 */
const PATH = new RegExp(
  String.raw`(?<![\w./~:@%+-])(?<path>(?:~|\.{1,2})?\/?(?:[\w.@+-]+\/)*[\w.@+-]*\w\.(?:${ENDINGS}))(?![\w/-]|\.\w)(?:", line (?<python>\d+)|:(?<line>\d+)(?::(?<column>\d+))?)?`,
  'g',
);
/** Text that is already a link. */
const LINKED = new RegExp(String.raw`(\u001B\]8;;[^\u001B]+\u001B\\.*?\u001B\]8;;\u001B\\)`, 's');
/** Maximum length of a text with links, in characters; searching a longer one would take too long. */
const LONGEST = 64 * 1024;
/** Maximum number of remembered lookups on disk. */
const MOST_KNOWN = 2000;

export interface LinkPlace {
  /** Folder to which paths are relative. */
  readonly cwd: string;
  /** URL scheme that opens a file, such as `vscode` for `vscode://file/a.ts:1:2`. */
  readonly scheme: string;
}

/** Creates a function that turns files in a text into links (OSC 8); relative paths only if the file exists. */
export function createFileLinks(getPlace: () => LinkPlace): <T extends string>(text: T) => T {
  const known = new Map<string, boolean>();
  const isFile = (path: string): boolean => {
    const answer = known.get(path) ?? getPathKind(path) === 'file';
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(path, answer);
    return answer;
  };
  return (text) => {
    if (text.length > LONGEST || !text.includes('.')) return text;
    const { cwd, scheme } = getPlace();
    const link = (whole: string, ...match: unknown[]): string => {
      const { path = '', line, column, python } = match.at(-1) as Readonly<Record<string, string | undefined>>;
      const absolute = path.startsWith('~/') ? homedir() + path.slice(1) : resolve(cwd, path);
      if (!/^[/~]|^\.{1,2}\//.test(path) && !isFile(absolute)) return whole;
      const at = [line ?? python, column].filter((part) => part !== undefined).map((part) => `:${part}`);
      const target = `${scheme}://file${encodePath(absolute)}${at.join('')}`;
      const shown = python === undefined ? whole : path;
      return `\u001B]8;;${target}\u001B\\${shown}\u001B]8;;\u001B\\${whole.slice(shown.length)}`;
    };
    const pieces = text.split(LINKED);
    // A harmless text stays harmless: addresses are encoded, and the only codes added are those of a link.
    return pieces
      .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(PATH, link)))
      .join('') as typeof text;
  };
}
