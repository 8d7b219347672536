import { asModelText, type Agent } from '@bae/core';
import { approverFor } from '../approval/approver-for.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings } from '../config/settings.ts';
import { makeVisible } from '../terminal/make-visible.ts';
import { readAll } from '../terminal/read-all.ts';
import type { CommandContext } from './command.ts';
import { printNotices } from './print-notices.ts';

/** `bae do`: executes tags without a model, once or, with `--json`, line by line for a program. */
export async function runDo({ positionals, options, terminal, signal }: CommandContext): Promise<number> {
  if (positionals.length > 0) throw takesNoArguments(positionals);
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  const approver = approverFor({ ...settings, yes: options.yes });
  const agent = composeAgent(settings, { approver, ...(!options.json && { terminal }) });
  try {
    if (!options.json) return await runOnce(agent, { terminal, signal });
    const { serveLines } = await import('./serve-lines.ts');
    await serveLines(agent, { terminal, signal });
    return 0;
  } finally {
    await agent.close();
  }
}

async function runOnce(
  agent: Agent,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<number> {
  const text = await readAll(terminal.input, signal);
  const report = await agent.run(asModelText(text), { signal });
  if (report.feedback === '')
    terminal.err.write(
      'bae: nothing to execute. A tag stands alone on its line: <R:package.json>; code stands between <run> and </run>\n',
    );
  else terminal.out.write(`${terminal.out.isTerminal ? makeVisible(report.feedback) : report.feedback}\n`);
  const { problems, calls, runs } = report;
  const isDone = problems.length === 0 && calls.every(({ result }) => result.ok) && runs.every(({ ok }) => ok);
  return isDone ? 0 : 1;
}

function takesNoArguments(positionals: readonly string[]): UsageError {
  const text = JSON.stringify(positionals.join(' '));
  return new UsageError(
    `bae do reads tags from standard input; got ${text}. Pipe them in: echo '<R:package.json>' | bae do`,
    {
      command: 'do',
    },
  );
}
