import { estimateTokens, takeFirstUnits } from '../text-size/text-size.ts';
import { classifyLine } from './outline.ts';

const DECLARATION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|declare|pub(?:\([a-z]+\))?|unsafe|override|inline|extern|virtual|sealed|partial)\s+)*(?:type\s+\w+\s*(?:[=<{]|struct|interface|func)|class|interface|enum|struct|trait|impl|fn|func|function|def|module|namespace|package|union|record|protocol|extension)(?!\w)\*?\s*[\w$<(#=]?/;
const VALUE_DECLARATION = /^(?:export\s+)?(?:const|let|var|val)\s+[\w$]/;
/** Function or class that is assigned: `app.use = function (`, `module.exports = {`. */
const ASSIGNED =
  /^(?:module\.exports\b|[\w$]+(?:\.[\w$]+)+)\s*=\s*(?:(?:async\s+)?function\b|class\b|\(?[\w$, ]*\)?\s*=>|\{\s*$)/;
const METHOD = /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*[\w$#*]+(?:<[^;]*>)?\s*\([^;]*\)/;
/** End of the first line of a method. It is tested first, because few lines have it. */
const OPENS_BODY = /\)[^;)]*\{\s*$/;
/** Test or group of tests: `describe('parse', () => {`, `t.test('an empty text', function (st) {`. */
const TEST = /^\s*(?:[\w$]+\.)?(?:describe|context|suite|it|test)(?:\.\w+)*\(\s*['"`]/;
const STATEMENT = /^\s*(?:if|for|while|switch|catch|return|else|do|with|await|new|throw)\b/;
/** Function in C or a similar language: a type, a name, parameters. */
const C_FUNCTION = /^[A-Za-z_][\w\s*&:<>,]*\s[*&]?[\w:~]+\([^;]*\)?\s*(?:const)?\s*\{?\s*$/;

/** Sentence in a comment that begins like a declaration: `class of the errors that are raised`. */
const SENTENCE = /^\s*(?:[\w'`-]+[.,]? +){3,}[\w'`-]+[.,]?\s*$/;
const HEIR = /\s(?:extends|implements)\s/;
/** Maximum length of a line in an outline, in units. */
const LONGEST_LINE = 80;
/** The same where not all lines fit; what follows a name in brackets is left out then. */
const SHORT_LINE = 40;
/** Number of lines in which declarations inside others are looked for: further ones find no room. */
const INNER_LINES = 4000;
/** Number of tokens that a line of an outline has at least. */
const LEAST_TOKENS = 4;

/** Returns true for a line that declares something, in any common language; tests count. */
export function isDeclaration(line: string): boolean {
  if (VALUE_DECLARATION.test(line)) return true;
  if (DECLARATION.test(line)) return !SENTENCE.test(line) || HEIR.test(line);
  if (line.length >= 300 || STATEMENT.test(line)) return false;
  return (
    (OPENS_BODY.test(line) && METHOD.test(line)) || C_FUNCTION.test(line) || TEST.test(line) || ASSIGNED.test(line)
  );
}

/** Part of a text of which an outline is made. */
interface OutlinedPart {
  readonly format: 'code' | 'markdown';
  /** Number of lines before the part. */
  readonly after: number;
  /** Maximum length of the outline, in tokens. */
  readonly room: number;
}

/** Lines with their numbers, `12|class A {`, and whether others of their kind were left out. */
interface TextOutline {
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

/**
 * Lists the declarations of code, or the headings of Markdown, in order and with the numbers of their lines: the
 * outermost first, then others as far as there is room.
 */
export function outlineLines(lines: readonly string[], { format, after, room }: OutlinedPart): TextOutline {
  const levels = format === 'code' ? findDeclarations(lines, after, room / LEAST_TOKENS) : findHeadings(lines, after);
  const order = [...levels].toSorted(([, a], [, b]) => a - b).map(([index]) => index);
  const select = (shorten: (line: string) => string): ReadonlyMap<number, string> => {
    const shown = new Map<number, string>();
    let left = room;
    for (const index of order) {
      const text = `${index + 1}|${shorten(lines[index]!.trimEnd())}`;
      left -= estimateTokens(text) + 1;
      if (left < 0) break;
      shown.set(index, text);
    }
    return shown;
  };
  const long = select((line) => clipEntry(line, LONGEST_LINE));
  const shown = long.size === order.length ? long : select((line) => clipEntry(dropParameters(line), SHORT_LINE));
  const kept = [...shown].toSorted(([a], [b]) => a - b).map(([, text]) => text);
  return { lines: kept, isComplete: kept.length === order.length };
}

function clipEntry(line: string, longest: number): string {
  const start = takeFirstUnits(line, longest);
  return start === line ? line : `${start}…`;
}

/** Leaves out what follows the first bracket, except the title of a test. */
function dropParameters(line: string): string {
  return line.replace(/\((?!\s*['"`]).+$/, '(…');
}

/** Function in a variable: `const find = async (name) => {`. */
const FUNCTION_VALUE = /=\s*(?:async\s+)?(?:\(|function\b|[\w$]+\s*=>)/;
/** Levels of outermost variables: those with a function come before what is inside of others, other values after it. */
const FUNCTION_LEVEL = 0.5;
const VALUE_LEVEL = 1000;

/**
 * Returns the levels of declarations by their indexes, those of inner ones by their indentation; stops when enough of
 * the outermost are found.
 */
function findDeclarations(lines: readonly string[], after: number, enough: number): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  let outer = 0;
  for (let index = after; index < lines.length; index++) {
    const line = lines[index]!;
    const isInner = line.startsWith(' ') || line.startsWith('\t');
    if ((isInner && index >= after + INNER_LINES) || !isDeclaration(line)) continue;
    const level = isInner ? measureIndent(line) : getOuterLevel(line);
    levels.set(index, level);
    if (level === 0 && ++outer > enough) break;
  }
  return levels;
}

function getOuterLevel(line: string): number {
  if (!VALUE_DECLARATION.test(line) || line.startsWith('export')) return 0;
  return FUNCTION_VALUE.test(line) ? FUNCTION_LEVEL : VALUE_LEVEL;
}

/** Counts the blanks before a line. */
export function measureIndent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Returns the level of each heading outside fences by its index; a fence may begin before the part. */
function findHeadings(lines: readonly string[], after: number): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) fence = mark?.startsWith(fence) === true ? undefined : fence;
    else if (mark !== undefined) fence = mark;
    else if (index < after) continue;
    else if (classifyLine(line, undefined) === 'heading') levels.set(index, line.indexOf(' '));
    else if (index > 0 && classifyLine(line, undefined) === 'rule' && classifyLine(lines[index - 1]!, line) === 'item')
      levels.set(index - 1, line.startsWith('=') ? 1 : 2);
  }
  return levels;
}
