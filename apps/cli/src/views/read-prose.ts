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
