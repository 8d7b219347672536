import { listStems } from './list-stems.ts';

/**
 * Values that a question may contain, recognised by their form, and the words for what they are. A value is what a tool
 * gets, so the words inside it say little about which tool is meant.
 */
const KINDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(?:https?|ftp|git|ssh):\/\/[^\s,"'<>)]+|\bwww\.[^\s,"'<>)]+/gi, 'url web page'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, 'email'],
  [/\b(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev)\b(?:\/[^\s,"'<>)]*)?/gi, 'url web page'],
  [/\b(?:arxiv:)?\d{4}\.\d{4,5}\b|\b10\.\d{4,}\/[^\s,"'<>)]+/gi, 'paper'],
  [/-?\d+\.\d+\s*,\s*-?\d+\.\d+/g, 'coordinate location'],
  [/(?<![\w:/])(?:~|\.{1,2})?(?:\/[\w.-]+)+\/?|\b[A-Z]:\\[\w\\.-]+/gi, 'file path'],
  [/\b[\w-]+(?:\/[\w.-]+)*\.[A-Za-z][A-Za-z\d]{1,4}\b/g, 'file path'],
  [
    /\b(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s.+\sSET|DELETE FROM|(?:CREATE|ALTER|DROP) TABLE)\s.*/gs,
    'sql query database',
  ],
  [/"[^"]*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|“[^”]*”/g, ''],
];

/** Words for what is in a file, by the end of its name. */
const FORMATS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['md', 'markdown'],
    ['txt', 'text'],
    ['pdf', 'pdf'],
    ['csv', 'csv'],
    ['json', 'json'],
    ['yaml yml', 'yaml'],
    ['html htm', 'html'],
    ['xls xlsx', 'excel spreadsheet'],
    ['doc docx', 'word document'],
    ['ppt pptx', 'powerpoint presentation'],
    ['png jpg jpeg gif webp', 'image'],
    ['svg', 'svg image'],
    ['mp3 wav flac', 'audio'],
    ['mp4 mov mkv', 'video'],
    ['zip tar gz', 'archive'],
    ['py', 'python code'],
    ['js', 'javascript code'],
    ['ts', 'typescript code'],
  ].flatMap(([ends, words]) => ends!.split(' ').map((end) => [end, words!])),
);

/** Separates the values in a question from the rest of its text. */
export function takeOutValues(question: string): {
  readonly text: string;
  /** Stems of the words for what the values are. */
  readonly kinds: readonly string[];
  /** Stems of the words inside the values. */
  readonly inside: readonly string[];
} {
  const kinds: string[] = [];
  const inside: string[] = [];
  let text = question;
  for (const [pattern, words] of KINDS) {
    text = text.replace(pattern, (value) => {
      const format = words.startsWith('file') ? FORMATS[/\.(\w+)$/.exec(value)?.[1]?.toLowerCase() ?? ''] : undefined;
      kinds.push(...listStems(`${words} ${format ?? ''}`));
      inside.push(...listStems(value));
      return ' ';
    });
  }
  return { text, kinds, inside };
}
