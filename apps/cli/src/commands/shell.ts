import type { Agent } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { approverFor, type AskPerson } from '../approval/approver-for.ts';
import { askAtTerminal } from '../approval/ask-at-terminal.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { chooseModelFor } from '../choose-model-for.ts';
import { composeAgent } from '../compose.ts';
import type { Settings } from '../config/settings.ts';
import { keepSession, NOT_KEPT, type KeptSession } from '../sessions/keep-session.ts';
import { openShell, runToEnd } from '../shell/open-shell.ts';
import { openingLine, orientation } from '../shell/opening.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { painterFor } from '../terminal/paint.ts';
import { PipedLines } from '../terminal/piped-lines.ts';
import { trustedSettings } from '../trust/trusted-settings.ts';
import type { CommandContext } from './command.ts';
import { observed } from './observed.ts';
import { printNotices } from './print-notices.ts';

/** `bae`: the shell, line by line, for a person at a terminal or for what comes out of a pipe. */
export async function runShell(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (options.json)
    throw new UsageError('the shell has no --json; bae do --json and bae ask --json have.', { command: 'shell' });
  const settings = await trustedSettings(context);
  printNotices(settings, terminal);
  const choice = await chooseModelFor(settings, terminal.env);
  try {
    return terminal.interactive
      ? await atKeyboard(context, settings, choice)
      : await fromPipe(context, settings, choice);
  } finally {
    await choice.model?.dispose?.();
  }
}

async function atKeyboard(context: CommandContext, settings: Settings, choice: ModelChoice): Promise<number> {
  const { terminal } = context;
  const reader = new LineReader(terminal);
  const ask = askAtTerminal({ terminal, reader, onInterrupt: () => reader.onInterrupt() });
  const kept = await keptFor(context, settings, choice);
  const agent = agentFor({ context, settings, choice, ask, kept });
  const paint = painterFor(terminal.out);
  terminal.out.write(`${openingLine({ root: settings.root, choice }, paint)}\n${orientation(agent.tree, paint)}\n`);
  const shell = openShell({ context, agent, choice, source: reader });
  reader.onInterrupt = () => {
    // Whoever asks a second time does not want to wait: the whole process is asked to stop.
    if (!shell.cancel()) process.kill(process.pid, 'SIGINT');
  };
  await runToEnd(shell, reader, agent).finally(() => kept.close());
  return 0;
}

async function fromPipe(context: CommandContext, settings: Settings, choice: ModelChoice): Promise<number> {
  const { terminal } = context;
  const source = new PipedLines(terminal.input);
  const kept = await keptFor(context, settings, choice);
  const agent = agentFor({ context, settings, choice, kept });
  terminal.out.write(`${openingLine({ root: settings.root, choice }, painterFor(terminal.out))}\n`);
  await runToEnd(openShell({ context, agent, choice, source }), source, agent).finally(() => kept.close());
  return 0;
}

/** Without a model there is no conversation to keep, and no reason to leave a file behind unless somebody asks. */
async function keptFor(context: CommandContext, settings: Settings, choice: ModelChoice): Promise<KeptSession> {
  const { resume, db } = context.options;
  const isWanted = choice.model !== undefined || resume !== undefined || db !== undefined;
  return isWanted ? keepSession(settings, context) : NOT_KEPT;
}

function agentFor(parts: {
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly choice: ModelChoice;
  readonly ask?: AskPerson;
  readonly kept: KeptSession;
}): Agent {
  const { context, settings, choice, ask, kept } = parts;
  const { yes } = context.options;
  return composeAgent(settings, {
    kept: kept.parts,
    ...(!context.options.json && { terminal: context.terminal }),
    approver: approverFor({ ...settings, yes, ...(ask !== undefined && { ask }) }),
    ...(choice.model !== undefined && { model: observed(choice.model, context) }),
  });
}
