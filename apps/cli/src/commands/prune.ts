import { prune, units, TOKEN_CAP, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { makeVisible } from '../terminal/make-visible.ts';
import type { CommandContext } from './command.ts';
import { inputText } from './input-text.ts';

/** `bae prune`: a text cut to the size of one answer, or with `--json` also what that did to it. */
export async function runPrune(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const text = await inputText(context, 'prune');
  const cap = (options.cap ?? TOKEN_CAP) * UNITS_PER_TOKEN;
  const pruned = prune(text, { cap, ...(options.format !== undefined && { format: options.format }) });
  if (options.json) {
    terminal.out.write(`${JSON.stringify({ ...pruned, units: { before: units(text), after: units(pruned.text) } })}\n`);
    return 0;
  }
  // Into a file or a pipe the text goes as it is, to the byte.
  terminal.out.write(terminal.out.isTerminal ? `${makeVisible(pruned.text).replace(/\n$/, '')}\n` : pruned.text);
  return 0;
}
