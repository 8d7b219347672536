import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { approverFor } from '../approval/approver-for.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings } from '../config/settings.ts';
import { knownNames } from '../space-outline.ts';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import type { CommandContext } from './command.ts';
import { inputText } from './input-text.ts';
import { printNotices } from './print-notices.ts';

/** Calls of the same text go first, and then the model has to see their answers. */
const SKIPPED = ' (not executed: calls run first)';

type Parsed = ReturnType<typeof parse>;

/** `bae parse`: what would be executed in a text, as lines or as one JSON object. */
export async function runParse(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const text = await inputText(context, 'parse');
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  const agent = composeAgent(settings, { approver: approverFor({ yes: false }) });
  const parsed = parse(asModelText(text), knownNames(agent.tree));
  await agent.close();
  terminal.out.write(options.json ? `${JSON.stringify(parsed)}\n` : asLines(parsed));
  return 0;
}

function asLines({ calls, runs, problems, prose }: Parsed): string {
  const lines = [
    ...calls.map(
      (call) => `call     line ${call.line}: ${visibleLine(`${call.verb} ${call.arg}`.trim())}${details(call)}`,
    ),
    ...runs.map((code) => `run      ${size(code)}${calls.length > 0 ? SKIPPED : ''}: ${visibleLine(code)}`),
    ...problems.map(({ code, line, message }) => `problem  line ${line}: ${code}: ${visibleLine(message)}`),
    ...(prose === ''
      ? []
      : [
          'prose',
          ...makeVisible(prose)
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
  ];
  return lines.length === 0 ? '(nothing)\n' : `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function details({ space, kwargs, body }: Parsed['calls'][number]): string {
  const parts = [
    ...(space === undefined ? [] : [`on ${space}`]),
    ...(kwargs === undefined ? [] : [visibleLine(JSON.stringify(kwargs))]),
    ...(body === undefined ? [] : [`body of ${size(body)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function size(text: string): string {
  const lines = text.split('\n').length;
  return lines === 1 ? `${Array.from(text).length} chars` : `${lines} lines`;
}
