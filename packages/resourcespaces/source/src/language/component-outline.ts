import { Parser } from 'htmlparser2';
import type { LanguageReader, Span } from './outline.ts';
import { typescriptOutline } from './typescript-outline.ts';

interface Script extends Span {
  /** Extension of a file with such code. */
  readonly ending: string;
}

/**
 * Reads the scripts of single-file components, such as those of Vue and Svelte: all scripts of a file form one module.
 * Offsets refer to the file; templates and styles are not read. Nothing here throws.
 */
export const componentOutline: LanguageReader = {
  outline({ text, path, inner }) {
    const scripts = findScriptParts(text);
    const last = scripts.at(-1);
    const outline = typescriptOutline.outline({
      text: blankAround(text, scripts),
      path: `${path}.${findEnding(scripts)}`,
      inner,
    });
    const start = last?.start ?? text.length;
    const end = last === undefined ? start : start + text.slice(start, last.end).trimEnd().length;
    return { ...outline, body: { start, end } };
  },

  parse({ text, path }, place) {
    const inTypeScript = typescriptOutline.parse({ text, path: `${path}.ts` }, place);
    if (inTypeScript.problem === undefined) return inTypeScript;
    const withMarkup = typescriptOutline.parse({ text, path: `${path}.tsx` }, place);
    return withMarkup.problem === undefined ? withMarkup : inTypeScript;
  },
};

/** The scripts of a component, for a compiler that does not read components. */
export interface ComponentScripts {
  /** The scripts as one module. Offsets and lines are those of the file. */
  readonly text: string;
  /** True if the scripts contain JSX. */
  readonly hasMarkup: boolean;
  /** Everything else: the template and styles, with blanks for the scripts. */
  readonly rest: string;
}

/** Separates the scripts of a component from the rest. */
export function readScripts(text: string): ComponentScripts {
  const scripts = findScriptParts(text);
  const rest = blankAround(text, invert(scripts, text.length));
  return { text: blankAround(text, scripts), hasMarkup: findEnding(scripts).endsWith('x'), rest };
}

function findEnding(scripts: readonly Script[]): string {
  return scripts.find((script) => script.ending !== 'js')?.ending ?? 'js';
}

const ENDINGS: Readonly<Record<string, string>> = { javascript: 'js', typescript: 'ts', module: 'js' };

/** Returns the contents of the top-level scripts of a file that are JavaScript or TypeScript. */
function findScriptParts(text: string): readonly Script[] {
  const scripts: Script[] = [];
  let depth = 0;
  let open: Omit<Script, 'end'> | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (depth++ > 0 || name !== 'script') return;
        const written = (attributes['lang'] ?? attributes['type'] ?? 'js').replace(/^text\//, '');
        const ending = ENDINGS[written] ?? written;
        if (/^[jt]sx?$/.test(ending)) open = { start: parser.endIndex + 1, ending };
      },
      onclosetag() {
        if (--depth > 0 || open === undefined) return;
        scripts.push({ ...open, end: Math.max(open.start, parser.startIndex) });
        open = undefined;
      },
    },
    { lowerCaseTags: false, recognizeSelfClosing: true },
  );
  parser.end(text);
  return scripts;
}

/** Replaces everything outside of some parts of a text with blanks, so that offsets and lines stay the same. */
function blankAround(text: string, parts: readonly Span[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of [...parts, { start: text.length, end: text.length }]) {
    result += text.slice(at, start).replaceAll(/[^\r\n]/g, ' ') + text.slice(start, end);
    at = end;
  }
  return result;
}

/** Returns the parts of a text around others. */
function invert(parts: readonly Span[], length: number): readonly Span[] {
  const ends = [0, ...parts.map(({ end }) => end)];
  return ends.map((start, index) => ({ start, end: parts[index]?.start ?? length }));
}
