import { parseBody, type SectionName } from './task-sections.ts';

const CLAIM = /<claim\s([^<>]*)>([^<]*)/gi;
const FINDING = /<finding\s([^<>]*)>/gi;
const ATTRIBUTE = /([a-z_]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** The sections that a body does not have, or has without content, in the order they were asked for. */
export function missingSections<N extends SectionName>(body: string, wanted: readonly N[]): readonly N[] {
  const { sections } = parseBody(body);
  return wanted.filter((wish) => !sections.some(({ name, content }) => name === wish && isFilled(name, content)));
}

function isFilled(name: SectionName, content: string): boolean {
  if (name === 'assumptions') {
    const claims = [...content.matchAll(CLAIM)];
    return claims.some(([, tag = '', text = '']) => hasRisk(tag) && text.trim() !== '');
  }
  if (name === 'background_research') {
    const tags = [...content.matchAll(FINDING)].map(([, tag = '']) => attributes(tag));
    return tags.some((finding) => ['claim', 'source', 'verified'].every((key) => finding.get(key)?.trim()));
  }
  return content.replaceAll(/<[^<>]*>/g, '').trim() !== '';
}

function hasRisk(tag: string): boolean {
  return ['low', 'med', 'high'].includes(attributes(tag).get('risk') ?? '');
}

function attributes(tag: string): ReadonlyMap<string, string> {
  return new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [key.toLowerCase(), double ?? single ?? '']),
  );
}
