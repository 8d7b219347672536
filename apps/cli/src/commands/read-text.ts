import { resolve } from 'node:path';
import { asModelText, ConfigurationError } from '@bae/core';
import { parse, structuralPruner, TOKEN_CAP, countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { getPathKind, readTextFile } from '../config/disk.ts';
import { openSettings } from '../config/settings.ts';
import { collectNames } from '../space-outline.ts';
import { readAll } from '../terminal/piped-input.ts';
import { makeVisible, makeLineVisible } from '../terminal/terminal-text.ts';

/** Runs `bae parse`, which shows the parts of a text that would be executed. */
export async function runParse(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const text = await readInput(context, 'parse');
  // Imported here because `bae prune` does not need it.
  const { composeAgent } = await import('../compose.ts');
  const agent = composeAgent(await openSettings(context), context);
  const parsed = parse(asModelText(text), collectNames(agent.tree));
  await agent.close();
  terminal.out.write(options.json ? `${JSON.stringify(parsed)}\n` : renderParsed(parsed));
  return 0;
}

/** Note on a run block. Calls run first, and the model must see their results before its code runs. */
const SKIPPED = ' (not executed: calls run first)';

type Parsed = ReturnType<typeof parse>;

function renderParsed({ calls, runs, problems, prose }: Parsed): string {
  const proseLines = makeVisible(prose).split('\n');
  const lines = [
    ...calls.map(renderParsedCall),
    ...runs.map((code) => `run      ${renderSize(code)}${calls.length > 0 ? SKIPPED : ''}: ${makeLineVisible(code)}`),
    ...problems.map(({ code, line, message }) => `problem  line ${line}: ${code}: ${makeLineVisible(message)}`),
    ...(prose === '' ? [] : ['prose', ...proseLines.map((line) => `  ${line}`)]),
  ];
  return lines.length === 0 ? '(nothing)\n' : `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function renderParsedCall({ line, verb, arg, space, kwargs, body }: Parsed['calls'][number]): string {
  const parts = [
    ...(space === undefined ? [] : [`on ${space}`]),
    ...(kwargs === undefined ? [] : [makeLineVisible(JSON.stringify(kwargs))]),
    ...(body === undefined ? [] : [`body of ${renderSize(body)}`]),
  ];
  const details = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `call     line ${line}: ${makeLineVisible(`${verb} ${arg}`.trim())}${details}`;
}

function renderSize(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? `${Array.from(text).length} chars` : `${lines} lines`;
}

/** Runs `bae prune`, which cuts a text to the size of one result. With `--json`, it also reports what was cut. */
export async function runPrune(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const text = await readInput(context, 'prune');
  const cap = (options.cap ?? TOKEN_CAP) * UNITS_PER_TOKEN;
  const pruned = structuralPruner.prune(text, { cap, ...(options.format !== undefined && { format: options.format }) });
  if (options.json) {
    const units = { before: countUnits(text), after: countUnits(pruned.text) };
    terminal.out.write(`${JSON.stringify({ ...pruned, units })}\n`);
    return 0;
  }
  // A file or a pipe receives the exact text.
  terminal.out.write(terminal.out.isTerminal ? `${makeVisible(pruned.text).replace(/\n$/, '')}\n` : pruned.text);
  return 0;
}

/** Reads the named file, or standard input for `-`. */
async function readInput(context: CommandContext, command: string): Promise<string> {
  const { root, positionals, terminal, signal } = context;
  const [file, ...more] = positionals;
  if (file === undefined)
    throw new UsageError(`bae ${command} needs a file: bae ${command} FILE, or - for standard input.`);
  if (more.length > 0) throw new UsageError(`bae ${command} takes one file; got ${positionals.length}.`);
  if (file === '-') return readAll(terminal.input, signal);
  const path = resolve(root, file);
  const kind = getPathKind(path);
  if (kind === 'nothing')
    throw new ConfigurationError(`${file}: there is no such file.`, [`bae ${command} - reads standard input`]);
  if (kind === 'folder') throw new ConfigurationError(`${file}: it is a folder.`, ['name a file in it']);
  try {
    return readTextFile(path);
  } catch (error) {
    throw new ConfigurationError(`${file}: cannot be read: ${(error as Error).message}.`, [], error);
  }
}
