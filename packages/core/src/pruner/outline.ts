import type { TextFormat } from '../protocol/tool-definition.ts';

/** Section of a text: a heading (none for the text above the first one) and the items below it, as line indexes. */
export interface Section {
  readonly heading: number | undefined;
  readonly level: number;
  readonly items: number[];
}

/** Line that gives the text structure; the lower its level, the earlier it is selected. */
interface StructuralLine {
  readonly index: number;
  readonly level: number;
  readonly section: Section;
  /** True for the line that counts as a heading: a title, or the first line of a table. */
  readonly isHeading: boolean;
}

/** Structure of a text; lines in neither list are blank. */
export interface Outline {
  readonly lines: readonly string[];
  readonly sections: readonly Section[];
  readonly structure: readonly StructuralLine[];
}

/** Outline, with the minimum that is lost when its lines are joined again. */
export type OutlinedText = Outline & { readonly lost: string };

/** Kind of a line for the pruner; `table` is the first line of a table, which includes the second. */
type LineKind = 'blank' | 'item' | 'heading' | 'rule' | 'table';

/** Level of a rule that underlines nothing: it is selected last. */
const RULE_LEVEL = 7.5;
/** Level of a table relative to the heading above it: it is a little less important. */
const TABLE_STEP = 0.5;
/** Number of structural lines up to which a text may consist of nothing else. */
const FREE_STRUCTURE = 20;

/**
 * Splits a text at line feeds and removes blank lines at its start and end; a carriage return before a line feed is
 * part of the line break.
 */
export function splitTextLines(text: string): Pick<OutlinedText, 'lines' | 'lost'> & { readonly leading: number } {
  const all = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  let start = 0;
  let end = all.length;
  while (start < end && isBlankLine(all[start]!)) start++;
  while (end > start && isBlankLine(all[end - 1]!)) end--;
  const lines = all.slice(start, end);
  // A single line feed at the end of the text is not a blank line.
  const hadBlanksAround = start > 0 || all.length - end > 1;
  return {
    lines,
    leading: start,
    lost: hadBlanksAround || lines.some(isBlankLine) ? 'blank lines' : 'carriage returns',
  };
}

/**
 * Finds headings, tables and items. Only Markdown has structure, and a text that is mostly headings is treated as a
 * list.
 */
export function parseOutline(lines: readonly string[], format: TextFormat): Outline {
  if (format !== 'markdown') return parsePlain(lines);
  const outline = parseMarkdown(lines);
  const structural = outline.structure.length;
  const items = outline.sections.reduce((sum, section) => sum + section.items.length, 0);
  return structural > FREE_STRUCTURE && structural > items ? parsePlain(lines) : outline;
}

function parsePlain(lines: readonly string[]): Outline {
  const items = [...lines.keys()].filter((index) => !isBlankLine(lines[index]!));
  return { lines, sections: [{ heading: undefined, level: 0, items }], structure: [] };
}

function parseMarkdown(lines: readonly string[]): Outline {
  const structure: StructuralLine[] = [];
  let section: Section = { heading: undefined, level: 0, items: [] };
  const sections = [section];
  const addHeading = (index: number, level: number) => structure.push({ index, level, section, isHeading: true });
  const addRule = (index: number, level: number) => structure.push({ index, level, section, isHeading: false });
  const openSection = (heading: number, level: number) => {
    section = { heading, level, items: [] };
    sections.push(section);
    addHeading(heading, level);
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const kind = classifyLine(line, lines[index + 1]);
    if (kind === 'item') section.items.push(index);
    else if (kind === 'heading') openSection(index, line.indexOf(' '));
    else if (kind === 'table') {
      addHeading(index, section.level + TABLE_STEP);
      index++;
      addRule(index, section.level + TABLE_STEP);
    } else if (kind === 'rule' && section.items.at(-1) === index - 1) {
      section.items.pop();
      const level = line.startsWith('=') ? 1 : 2;
      openSection(index - 1, level);
      addRule(index, level);
    } else if (kind === 'rule') addRule(index, RULE_LEVEL);
  }
  return { lines, sections, structure };
}

/** Classifies a line of Markdown; whether a rule underlines a title depends on the line before it. */
export function classifyLine(line: string, next: string | undefined): LineKind {
  if (isBlankLine(line)) return 'blank';
  if (/^#{1,6} /.test(line)) return 'heading';
  if (/^(?:={3,}|-{3,})\s*$/.test(line)) return 'rule';
  if (line.startsWith('|') && next !== undefined && isTableRule(next)) return 'table';
  return 'item';
}

/** Returns true for `|---|:--|`. Uses two simple tests, because a single pattern would take quadratic time. */
function isTableRule(line: string): boolean {
  return line.includes('-') && /^\|[\s:|-]*$/.test(line);
}

function isBlankLine(line: string): boolean {
  return line.trim() === '';
}
