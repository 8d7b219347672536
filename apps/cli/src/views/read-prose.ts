import { asModelText, type SpaceTree } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { collectNames } from '../space-outline.ts';

interface ProseOptions {
  readonly tree: SpaceTree;
  /** True to remove misspelt calls, too: the model gets an error about them and writes them again. Default: false. */
  readonly isMended?: boolean;
}

/** Returns the prose of a response, without its calls, bodies and run blocks. */
export function readProse(text: string, { tree, isMended = false }: ProseOptions): string {
  const names = collectNames(tree);
  if (!isMended) return parse(asModelText(text), names).prose;
  const { prose, problems } = parse(asModelText(text), { ...names, misspeltSpaces: 'problem' });
  const lines = text.split('\n');
  const wrong = new Set(
    problems.flatMap(({ code, line }) => (code === 'unknown-tool' ? [lines[line - 1]?.trim()] : [])),
  );
  if (wrong.size === 0) return prose;
  const kept = prose.split('\n').filter((line) => !wrong.has(line.trim()));
  return kept.join('\n').trim();
}

/** Beginnings of what bae adds to a prompt, below what the person typed. */
const ADDED = ['[Attached: ', '[The mode is plan: '];

/** Prompt of the command `/compact`. */
export const SUMMARY_REQUEST =
  'Sum up this conversation for somebody who will continue it without having read it: what was asked, what is done, ' +
  'what was decided and why, which files matter, what is left. At most 400 words. Call nothing.';

/** Adds texts of bae to a prompt, each of which begins like one of `ADDED`. */
export function addToPrompt(prompt: string, ...texts: readonly string[]): string {
  return [prompt, ...texts.filter((text) => text !== '')].join('\n\n');
}

/** Returns what the person typed of a prompt. */
export function readTyped(prompt: string): string {
  if (prompt.startsWith(SUMMARY_REQUEST)) return '/compact';
  const places = ADDED.map((text) => prompt.indexOf(`\n\n${text}`)).filter((at) => at >= 0);
  return prompt.slice(0, Math.min(prompt.length, ...places)).trim();
}
