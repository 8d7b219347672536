/** What a major has to say before it begins, and before it is done. */
export const PLANNING = ['assumptions', 'reasoning', 'background_research', 'acceptance_criteria'] as const;
export const COMPLETION = ['outcome', 'confidence', 'retrospective'] as const;

export type SectionName = (typeof PLANNING)[number] | (typeof COMPLETION)[number];

/** An element `<name>…</name>` of a body, of a name that means something. */
export interface Section {
  readonly name: SectionName;
  /** What is between its tags. */
  readonly content: string;
  /** The element with its tags. */
  readonly source: string;
}

/** A body taken apart. */
export interface SectionedBody {
  readonly sections: readonly Section[];
  /** What is outside of the sections. */
  readonly text: string;
}

const NAMES: ReadonlySet<string> = new Set([...PLANNING, ...COMPLETION]);
const MARK = /<!--|-->|<(\/?)([a-z_]+)(?:\s[^<>]*)?>/gi;

/** Finds the sections of a body. What is in comments, or never closed, is no section. Takes linear time. */
export function parseBody(body: string): SectionedBody {
  const sections: Section[] = [];
  const between: string[] = [];
  let open: { readonly name: string; readonly start: number; readonly inside: number } | undefined;
  let end = 0;
  let isComment = false;
  for (const { 0: mark, 1: slash, 2: tag = '', index } of body.matchAll(MARK)) {
    const name = tag.toLowerCase();
    if (mark === '<!--' || mark === '-->') isComment = mark === '<!--';
    if (isComment || !NAMES.has(name)) continue;
    const after = index + mark.length;
    if (slash === '') {
      open = { name, start: index, inside: after };
    } else if (open?.name === name) {
      const [content, source] = [body.slice(open.inside, index), body.slice(open.start, after)];
      sections.push({ name: name as SectionName, content, source });
      between.push(body.slice(end, open.start));
      open = undefined;
      end = after;
    }
  }
  return { sections, text: [...between, body.slice(end)].join('').trim() };
}

/**
 * A body after an edit: new text takes the place of the old text, a section that of its namesake. What the
 * edit does not mention stays, so that nobody has to repeat a plan to add an outcome.
 */
export function mergeBody(before: string, edit: string): string {
  const [old, wanted] = [parseBody(before), parseBody(edit)];
  const kept = old.sections.filter((section) => !wanted.sections.some(({ name }) => name === section.name));
  const sources = kept.map(({ source }) => source);
  const isAboutSections = wanted.text === '' && wanted.sections.length > 0;
  const parts = isAboutSections ? [old.text, ...sources, edit] : [edit, ...sources];
  return parts.filter((part) => part !== '').join('\n');
}
