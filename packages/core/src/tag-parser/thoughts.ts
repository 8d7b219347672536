import { skipBlanks } from './characters.ts';

/** How models mark their thoughts: parts of regular expressions. */
interface Notation {
  readonly begin: string;
  readonly end: string;
  /** An end that shows by itself that everything before it was thought, since its beginning was kept by the service. */
  readonly lone?: string;
  /** True if the marks are words: they count only together. */
  readonly isWords?: boolean;
}

const ELEMENT = '(?:(?:seed|mm|antml):|longcat_)?(?:think(?:ing)?|thoughts?|reasoning)(?::opensource)?';

/** Every notation of the chat templates of open models, and those that prompts ask for. */
const NOTATIONS: readonly Notation[] = [
  // DeepSeek, Qwen, GLM and most others; Seed-OSS, MiniMax M3, LongCat, Hunyuan 3.
  { begin: `<${ELEMENT}(?:\\s[^<>]*)?>`, end: `</${ELEMENT}\\s*>`, lone: `</${ELEMENT}\\s*>` },
  // Magistral.
  { begin: '\\[THINK\\]', end: '\\[/THINK\\]', lone: '\\[/THINK\\]' },
  // Kimi.
  { begin: '◁think▷', end: '◁/think▷', lone: '◁/think▷' },
  // gpt-oss. What has a recipient is a call.
  {
    begin: '(?:<\\|start\\|>assistant)?<\\|channel\\|>analysis(?:\\s[^<=\\n]*)?<\\|message\\|>',
    end: '<\\|(?:end|return)\\|>(?:<\\|start\\|>assistant(?=<\\|channel\\|>final))?(?:<\\|channel\\|>final<\\|message\\|>)?|<\\|channel\\|>final<\\|message\\|>',
    lone: '<\\|channel\\|>final<\\|message\\|>',
  },
  // gpt-oss without its special tokens.
  { begin: 'analysis(?=[A-Z])', end: 'assistantfinal', isWords: true },
  // Gemma 4.
  { begin: '<\\|channel>(?:thought)?', end: '<channel\\|>', lone: '<channel\\|>' },
  // Command A.
  {
    begin: '<\\|START_THINKING\\|>',
    end: '<\\|END_THINKING\\|>(?:<\\|START_RESPONSE\\|>)?',
    lone: '<\\|END_THINKING\\|>(?:<\\|START_RESPONSE\\|>)?',
  },
  // Apertus.
  { begin: '<\\|inner_prefix\\|>', end: '<\\|inner_suffix\\|>', lone: '<\\|inner_suffix\\|>' },
  // Solar Open.
  { begin: '<\\|think\\|>', end: '<\\|end\\|>(?:<\\|begin\\|>assistant)?(?:<\\|content\\|>)?|<\\|content\\|>' },
  // Pangu.
  { begin: '\\[unused16\\]', end: '\\[unused17\\]', lone: '\\[unused17\\]' },
  // Granite 3.
  { begin: "Here(?:'s| is) my thought process:", end: "Here(?:'s| is) my response:", isWords: true },
];

const BEGINNINGS = NOTATIONS.map(({ begin }) => new RegExp(begin, 'iy'));
const ENDS = NOTATIONS.map(({ end }) => new RegExp(end, 'gi'));
const LONE = NOTATIONS.flatMap(({ lone = [] }) => lone).join('|');
/** Matches the end of a thought at the beginning or end of a line. */
const LONE_END = new RegExp(`^(?:${LONE})|(?:${LONE})$`, 'i');
/** Matches every mark, in the groups b0, e0, b1 and so on, except in a code span. */
const MARKS = new RegExp(
  `(?<!\`)(?:${NOTATIONS.map(({ begin, end }, index) => `(?<b${index}>${begin})|(?<e${index}>${end})`).join('|')})`,
  'gi',
);

/**
 * Parts of the closing tags and of the ends of thoughts, except words, which count only if the line begins with them.
 * Texts and not a pattern, because a long text is searched for them many times faster.
 */
export const CLOSINGS = ['</', '|>', '▷', '[/', '[unused17]'];
const WORDS = /assistantfinal|my response:/i;

/** Tests whether a line may hold the end of a thought. A quick check. */
export function hasThoughtEnd(line: string): boolean {
  return CLOSINGS.some((part) => line.includes(part)) || WORDS.test(line);
}

/** Tests whether a line, without surrounding blanks, begins a thought. */
export function beginsThought(line: string): boolean {
  return findNotation(line, 0) !== undefined;
}

function findNotation(text: string, at: number): number | undefined {
  const index = BEGINNINGS.findIndex((begin) => {
    begin.lastIndex = at;
    return begin.test(text);
  });
  return index === -1 ? undefined : index;
}

/** Returns the closing mark at the beginning or end of a line, without surrounding blanks, if there is one. */
export function findLoneEnd(line: string): string | undefined {
  if (!/[>\]▷]$|^[<[◁]/.test(line)) return undefined;
  return LONE_END.exec(line)?.[0];
}

/**
 * Returns the offset after the end of a thought, which for an element may have another name; undefined if there is no
 * end.
 *
 * @param from start of the line that begins it
 */
export function findThoughtEnd(text: string, from: number): number | undefined {
  const closing = ENDS[findNotation(text, skipBlanks(text, from)) ?? 0]!;
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : undefined;
}

/** Tests whether the marks of the thought that begins a line are words, which count only together. */
export function isThoughtInWords(text: string, from: number): boolean {
  const notation = findNotation(text, skipBlanks(text, from));
  return notation !== undefined && NOTATIONS[notation]!.isWords === true;
}

/** Lists the start and end of each thought in a text; the last may have no end. */
export function listThoughts(text: string): readonly (readonly [start: number, end: number | undefined])[] {
  const thoughts: (readonly [number, number | undefined])[] = [];
  let open: { readonly start: number; readonly notation: number } | undefined;
  for (const { index, 0: mark, groups = {} } of text.matchAll(MARKS)) {
    const [name = ''] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    const notation = Number(name.slice(1));
    if (name.startsWith('b')) open ??= { start: index, notation };
    else if (open?.notation === notation) {
      thoughts.push([open.start, index + mark.length]);
      open = undefined;
    }
  }
  if (open === undefined || NOTATIONS[open.notation]!.isWords === true) return thoughts;
  return [...thoughts, [open.start, undefined]];
}
