const LONGEST = 120;
/** Characters of a comment that are looked at, so that none takes long. */
const LOOKED_AT = 2000;

/** The first sentence of a comment, as one line without the signs of comments; at most 120 characters. */
export function docSentence(comment: string): string {
  const lines = comment
    .slice(0, LOOKED_AT)
    .replace(/^\/\*+!?|\*+\/$/g, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:\*|\/\/+!?)?\s?/, '').trim());
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return '';
  const end = lines.findIndex((line, index) => index > first && (line === '' || line.startsWith('@')));
  const paragraph = lines.slice(first, end === -1 ? undefined : end).join(' ');
  if (paragraph.startsWith('@') && !/^@(?:file|fileoverview|description|module)\s/.test(paragraph)) return '';
  const plain = paragraph
    .replace(/^@\w+\s+/, '')
    .replaceAll(/\{@link(?:code|plain)?\s+([^}|]*)(?:\|[^}]*)?\}/g, (_all, name: string) => name.trim());
  const sentence = /^(.+?[.!?])(?:\s+(?=[\p{Lu}`"'<([])|$)/su.exec(plain)?.[1] ?? plain;
  const short = sentence.replace(/\.$/, '').trim();
  // A copy: a part of a long text would keep all of it in memory.
  return Buffer.from(short.length <= LONGEST ? short : `${short.slice(0, LONGEST - 1).trimEnd()}…`).toString();
}
