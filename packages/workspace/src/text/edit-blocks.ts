import { EditError } from '../errors.ts';

/** A part of a text, and the text that replaces it. */
export interface EditBlock {
  readonly old: string;
  readonly new: string;
  /**
   * True if the old text was sent as whole lines: without new text, their line breaks go too, and new lines get their
   * indentation.
   */
  readonly areLines?: boolean;
  /** True if the line break of the last line, which may be a blank one, is no part of the old text. */
  readonly lacksBreak?: boolean;
}

/**
 * Reads the body of an edit that consists only of blocks of old and new text, in one of three forms: `<old>…</old>` and
 * `<new>…</new>`; `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`; a diff, or a patch of one file. Returns undefined for
 * any other body.
 *
 * @param name name of the text; a diff of another file is refused
 */
export function readEditBlocks(body: string, name: string): readonly EditBlock[] | undefined {
  const text = removeFence(body.replaceAll('\r\n', '\n'));
  const blocks = readTagPairs(text) ?? readConflicts(text) ?? readDiff(text, name);
  return blocks?.map((block) => removeNumbers(block));
}

function removeFence(body: string): string {
  return /^\s*```[\w-]*\n(.*\n)```\s*$/s.exec(body)?.[1] ?? body;
}

function readTagPairs(text: string): readonly EditBlock[] | undefined {
  // The names of the two texts here, and in the tools of other agents.
  const pair =
    /\s*<(old(?:_string|_str|_text)?|search)>(.*?)<\/\1>\s*<(new(?:_string|_str|_text)?|replace)>(.*?)<\/\3>\s*/sy;
  const blocks: EditBlock[] = [];
  while (pair.lastIndex < text.length || blocks.length === 0) {
    const found = pair.exec(text);
    if (found === null) return undefined;
    const [old, by] = [found[2]!, found[4]!];
    blocks.push({
      old: trimBreaks(old),
      new: trimBreaks(by),
      ...(old.endsWith('\n') && { areLines: true, lacksBreak: true }),
    });
  }
  return blocks;
}

/** Removes the line breaks after the opening tag and before the closing tag of a text. */
function trimBreaks(text: string): string {
  return text.replace(/^\n/, '').replace(/\n$/, '');
}

function readConflicts(text: string): readonly EditBlock[] | undefined {
  const block = /\s*^<{5,9} ?SEARCH\n(.*?)^={5,9}\n(.*?)^>{5,9} ?REPLACE[^\S\n]*(?:\n\s*|$)/msy;
  const blocks: EditBlock[] = [];
  while (block.lastIndex < text.length || blocks.length === 0) {
    const found = block.exec(text);
    if (found === null) return undefined;
    blocks.push({ old: found[1]!, new: found[2]!, areLines: true });
  }
  return blocks;
}

const HEADER =
  /^(?:diff |index |new file|old mode|new mode|similarity|--- |\+\+\+ |\*{3} (?:Begin Patch|Update File: ))/;
const PATCH_END = /\n\*{3} End (?:Patch|of File)\s*(?=\n|$)/g;

function readDiff(text: string, name: string): readonly EditBlock[] | undefined {
  const lines = text
    .replaceAll(PATCH_END, '')
    .replaceAll(/^\n+|\n+$/g, '')
    .split('\n');
  const start = lines.findIndex((line) => line.trim() !== '' && !HEADER.test(line));
  const isHunk = lines[start]?.startsWith('@@') === true;
  // A patch may do without `@@`.
  const isPatch = lines.slice(0, Math.max(start, 0)).some((line) => line.startsWith('***'));
  if (start === -1 || !(isHunk || isPatch)) return undefined;
  refuseOtherFile(lines.slice(0, start), name);
  const blocks: { old: string; new: string; areLines: boolean }[] = [];
  for (const line of isHunk ? lines.slice(start) : ['@@', ...lines.slice(start)]) {
    const block = blocks.at(-1);
    const rest = `${line.slice(1)}\n`;
    if (line.startsWith('@@')) blocks.push({ old: '', new: '', areLines: true });
    else if (line.startsWith('-')) block!.old += rest;
    else if (line.startsWith('+')) block!.new += rest;
    else if (line.startsWith(' ') || line === '') {
      block!.old += rest;
      block!.new += rest;
    } else if (!line.startsWith('\\')) return undefined;
  }
  return blocks.some(({ old, new: by }) => old !== '' || by !== '') ? blocks : undefined;
}

function refuseOtherFile(header: readonly string[], name: string): void {
  const path = header
    .map((line) => /^(?:\+\+\+ (?:b\/)?|\*{3} Update File: )(\S+)/.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (path === undefined || path === '/dev/null' || !/[/.]/.test(name)) return;
  const isSame = path.endsWith(name) || name.endsWith(path) || !name.includes('/');
  if (isSame) return;
  throw new EditError(`the diff is for ${path}, and this edit for ${name}. Nothing was changed.`, [`<R:${name}>`]);
}

/** Line numbers before every line, as displayed: `12|text`. */
const NUMBERED = /^ *\d+(?: \| |\|)/;

function removeNumbers(block: EditBlock): EditBlock {
  const { old, new: by } = block;
  const isNumbered = [old, by].every((text) => text.split('\n').every((line) => line === '' || NUMBERED.test(line)));
  if (!isNumbered || (old === '' && by === '')) return block;
  const prefix = new RegExp(NUMBERED, 'gm');
  return { ...block, old: old.replaceAll(prefix, ''), new: by.replaceAll(prefix, '') };
}
