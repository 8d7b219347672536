import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { getPathKind, encodePath } from '../config/disk.ts';

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
/** Place as it is named in texts, such as `source()` or `@source.tests()`. */
const PLACE = /(?<![\w./~:%+-])@?(?<place>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\(\)/g;
/** Text that is already a link. */
const LINKED = new RegExp(String.raw`(\u001B\]8;;[^\u001B]+\u001B\\.*?\u001B\]8;;\u001B\\)`, 's');
/** Code of a colour, which may stand within a path whose parts are coloured as code. */
const COLOR = new RegExp(String.raw`(\u001B\[[\d;]*m)`, 'g');
/** Maximum length of a text with links, in characters; searching a longer one would take too long. */
const LONGEST = 64 * 1024;
/** Maximum number of remembered lookups on disk. */
const MOST_KNOWN = 2000;

export interface LinkTargets {
  /** Folder to which paths are relative. */
  readonly cwd: string;
  /** URL scheme that opens a file, such as `vscode` for `vscode://file/a.ts:1:2`. */
  readonly scheme: string;
  /** Returns true for the path of a place, such as `source.tests`. Default: there are none. */
  readonly isPlace?: ((path: string) => boolean) | undefined;
}

/**
 * Creates a function that turns files in a text into links (OSC 8), relative paths only if the file exists, and places
 * into links such as `bae:source.tests`.
 */
export function createFileLinks(getTargets: () => LinkTargets): <T extends string>(text: T) => T {
  const known = new Map<string, boolean>();
  const isFile = (path: string): boolean => {
    const answer = known.get(path) ?? getPathKind(path) === 'file';
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(path, answer);
    return answer;
  };
  return (text) => {
    if (text.length > LONGEST || !/\.|\(\)/.test(text)) return text;
    const { cwd, scheme, isPlace = () => false } = getTargets();
    const findFile = ({ 0: whole, index, groups = {} }: RegExpExecArray): readonly TextLink[] => {
      const { path = '', line, column, python } = groups;
      const absolute = path.startsWith('~/') ? homedir() + path.slice(1) : resolve(cwd, path);
      if (!/^[/~]|^\.{1,2}\//.test(path) && !isFile(absolute)) return [];
      const at = [line ?? python, column].filter((part) => part !== undefined).map((part) => `:${part}`);
      const target = `${scheme}://file${encodePath(absolute)}${at.join('')}`;
      return [{ from: index, to: index + (python === undefined ? whole : path).length, target }];
    };
    const findPlace = ({ 0: whole, index, groups = {} }: RegExpExecArray): readonly TextLink[] => {
      const { place = '' } = groups;
      return isPlace(place) ? [{ from: index, to: index + whole.length, target: `bae:${place}` }] : [];
    };
    const link = (piece: string): string => {
      const plain = piece.replaceAll(COLOR, '');
      const links = [
        ...Array.from(plain.matchAll(PATH)).flatMap(findFile),
        ...Array.from(plain.matchAll(PLACE)).flatMap(findPlace),
      ];
      return insertLinks(
        piece,
        links.toSorted((one, other) => one.from - other.from),
      );
    };
    const pieces = text.split(LINKED);
    // A harmless text stays harmless: addresses are encoded, and the only codes added are those of a link.
    return pieces.map((piece, index) => (index % 2 === 1 ? piece : link(piece))).join('') as typeof text;
  };
}

/** Link, and where it is in the text without codes. */
interface TextLink {
  readonly from: number;
  readonly to: number;
  readonly target: string;
}

/** Inserts links into a text with codes of colours, which stay where they are. */
function insertLinks(text: string, links: readonly TextLink[]): string {
  const marks = links.flatMap(({ from, to, target }) => [
    { at: from, code: `\u001B]8;;${target}\u001B\\` },
    { at: to, code: '\u001B]8;;\u001B\\' },
  ]);
  let linked = '';
  /** Length of the text so far, without codes. */
  let shown = 0;
  for (const [index, piece] of text.split(COLOR).entries()) {
    if (index % 2 === 1) {
      linked += piece;
      continue;
    }
    let from = 0;
    while (marks[0] !== undefined && marks[0].at <= shown + piece.length) {
      const { at, code } = marks.shift()!;
      linked += piece.slice(from, at - shown) + code;
      from = at - shown;
    }
    linked += piece.slice(from);
    shown += piece.length;
  }
  return linked;
}
