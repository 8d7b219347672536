/** The sections that a major needs before it begins, then those that it needs before it is done. */
export const PLANNING = ['assumptions', 'reasoning', 'background_research', 'acceptance_criteria'] as const;
export const COMPLETION = ['outcome', 'confidence', 'retrospective'] as const;

export type SectionName = (typeof PLANNING)[number] | (typeof COMPLETION)[number];

/** An element `<name>…</name>` of a body. */
interface Section {
  readonly name: SectionName;
  /** The text between its tags. */
  readonly content: string;
  /** The element with its tags. */
  readonly source: string;
}

/** Templates of the sections; the text between the tags has to be replaced. */
const TEMPLATES: Readonly<Record<SectionName, string>> = {
  assumptions: '<assumptions><claim risk="low">what is taken for granted</claim></assumptions>',
  reasoning: '<reasoning>why this, and why in this way</reasoning>',
  background_research:
    '<background_research><finding claim="what is so" source="where it says so" verified="yes"/></background_research>',
  acceptance_criteria: '<acceptance_criteria>how to tell that it is done</acceptance_criteria>',
  outcome: '<outcome>what came of it</outcome>',
  confidence: '<confidence>how sure this is, and why</confidence>',
  retrospective: '<retrospective>what to do differently next time</retrospective>',
};

const NAMES: ReadonlySet<string> = new Set([...PLANNING, ...COMPLETION]);
const MARK = /<!--|-->|<(\/?)([a-z_]+)(?:\s[^<>]*)?>/gi;
const CLAIM = /<claim\s([^<>]*)>([^<]*)/gi;
const FINDING = /<finding\s([^<>]*)>/gi;
const ATTRIBUTE = /([a-z_]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/**
 * Finds the sections of a body, and the text outside of them. Elements that are in comments, or not closed, do not
 * count. Takes linear time.
 */
export function parseBody(body: string): { readonly sections: readonly Section[]; readonly text: string } {
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
 * Returns the body after an edit: new text replaces the old text, and a section replaces the one with the same name.
 * Sections that the edit does not mention stay, so that adding an outcome does not require repeating the plan.
 */
export function mergeBody(before: string, edit: string): string {
  const [old, wanted] = [parseBody(before), parseBody(edit)];
  const kept = old.sections.filter((section) => !wanted.sections.some(({ name }) => name === section.name));
  const sources = kept.map(({ source }) => source);
  const isAboutSections = wanted.text === '' && wanted.sections.length > 0;
  const parts = isAboutSections ? [old.text, ...sources, edit] : [edit, ...sources];
  return parts.filter((part) => part !== '').join('\n');
}

/** Returns the sections that a body does not have, or that have no content, in the order of `wanted`. */
export function findMissingSections<N extends SectionName>(body: string, wanted: readonly N[]): readonly N[] {
  const { sections } = parseBody(body);
  return wanted.filter((wish) => !sections.some(({ name, content }) => name === wish && isFilledIn(name, content)));
}

function isFilledIn(name: SectionName, content: string): boolean {
  if (name === 'assumptions') {
    const claims = [...content.matchAll(CLAIM)];
    return claims.some(([, tag = '', text = '']) => hasRisk(tag) && text.trim() !== '');
  }
  if (name === 'background_research') {
    const findings = [...content.matchAll(FINDING)].map(([, tag = '']) => parseAttributes(tag));
    return findings.some((finding) => ['claim', 'source', 'verified'].every((key) => finding.get(key)?.trim()));
  }
  return content.replaceAll(/<[^<>]*>/g, '').trim() !== '';
}

function hasRisk(tag: string): boolean {
  return ['low', 'med', 'high'].includes(parseAttributes(tag).get('risk') ?? '');
}

function parseAttributes(tag: string): ReadonlyMap<string, string> {
  return new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [key.toLowerCase(), double ?? single ?? '']),
  );
}

/** Renders sections to fill in, one per line. */
export function renderSectionTemplates(names: readonly SectionName[]): string {
  return names.map((name) => TEMPLATES[name]).join('\n');
}
