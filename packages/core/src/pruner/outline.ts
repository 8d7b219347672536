import type { TextFormat } from '../protocol/tool-definition.ts';
import { lineKind } from './line-kind.ts';

/** A heading (none for what stands before the first) and the items below it, as line indexes. */
export interface Section {
  readonly heading: number | undefined;
  readonly level: number;
  readonly items: number[];
}

/** A line that gives structure; the lower its level, the sooner it is kept. */
interface StructuralLine {
  readonly index: number;
  readonly level: number;
  readonly section: Section;
  /** True for the line that counts as one heading: a title, or the first line of a table. */
  readonly leads: boolean;
}

/** A text taken apart; the lines that are in neither list are blank. */
export interface Outline {
  readonly sections: readonly Section[];
  readonly structure: readonly StructuralLine[];
}

/** A rule that underlines nothing is the last structure to be kept. */
const RULE_LEVEL = 7.5;
/** A table is a little less important than the heading above it. */
const TABLE_STEP = 0.5;
/** Up to here a text may consist of nothing but structure. */
const FREE_STRUCTURE = 20;

/**
 * Finds headings, tables and items.
 *
 * Only Markdown has structure, and only as long as structure is the minority of its lines: a list of
 * headings is a list.
 */
export function outline(lines: readonly string[], format: TextFormat): Outline {
  if (format !== 'markdown') return flatOutline(lines);
  const found = markdownOutline(lines);
  const structural = found.structure.length;
  const items = found.sections.reduce((sum, section) => sum + section.items.length, 0);
  return structural > FREE_STRUCTURE && structural > items ? flatOutline(lines) : found;
}

function flatOutline(lines: readonly string[]): Outline {
  const items: number[] = [];
  for (const [index, line] of lines.entries()) if (line.trim() !== '') items.push(index);
  return { sections: [{ heading: undefined, level: 0, items }], structure: [] };
}

function markdownOutline(lines: readonly string[]): Outline {
  const structure: StructuralLine[] = [];
  let section: Section = { heading: undefined, level: 0, items: [] };
  const sections = [section];
  const lead = (index: number, level: number) => structure.push({ index, level, section, leads: true });
  const follow = (index: number, level: number) => structure.push({ index, level, section, leads: false });
  const open = (heading: number, level: number) => {
    section = { heading, level, items: [] };
    sections.push(section);
    lead(heading, level);
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const kind = lineKind(line, lines[index + 1]);
    if (kind === 'item') section.items.push(index);
    else if (kind === 'heading') open(index, line.indexOf(' '));
    else if (kind === 'table') {
      lead(index, section.level + TABLE_STEP);
      index++;
      follow(index, section.level + TABLE_STEP);
    } else if (kind === 'rule' && section.items.at(-1) === index - 1) {
      section.items.pop();
      const level = line.startsWith('=') ? 1 : 2;
      open(index - 1, level);
      follow(index, level);
    } else if (kind === 'rule') follow(index, RULE_LEVEL);
  }
  return { sections, structure };
}
