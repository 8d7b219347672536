import { homedir } from 'node:os';
import type { Agent, SpaceTree } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { printNotices, type Settings } from '../config/settings.ts';
import { type AskPerson, createApprover } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { loadTrustedSettings } from '../consent/ask-trust.ts';
import { keepSession, type KeptSession, NOT_KEPT } from '../kept-session.ts';
import { Shell } from '../shell/shell.ts';
import { outlineSpaces } from '../space-outline.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { PipedLines } from '../terminal/piped-input.ts';
import { createPainter, type Painter, visibleLine } from '../terminal/terminal-text.ts';
import { observeModel } from '../views/create-view.ts';

/** `bae`: the shell, line by line, for a person at a terminal or for what comes out of a pipe. */
export async function runShell(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (options.json) throw new UsageError('the shell has no --json; bae do --json and bae ask --json have.');
  const settings = await loadTrustedSettings(context);
  printNotices(settings, terminal);
  const choice = await chooseModelFor(settings, terminal.env);
  try {
    await (terminal.interactive ? runAtKeyboard : runFromPipe)({ context, settings, choice });
    return 0;
  } finally {
    await choice.model?.dispose?.();
  }
}

interface Start {
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly choice: ModelChoice;
}

async function runAtKeyboard(start: Start): Promise<void> {
  const { context, settings, choice } = start;
  const { terminal } = context;
  const reader = new LineReader(terminal);
  const ask = askAtTerminal({ terminal, reader, onInterrupt: () => reader.onInterrupt() });
  const kept = await keepIfWanted(start);
  const agent = openAgent(start, kept, ask);
  const paint = createPainter(terminal.out);
  const opening = renderOpening({ root: settings.root, home: terminal.env['HOME'], choice }, paint);
  terminal.out.write(`${opening}\n${renderOrientation(agent.tree, paint)}\n`);
  const shell = new Shell({ context, agent, choice, source: reader });
  reader.onInterrupt = () => {
    // A second Ctrl-C means that nobody wants to wait: the whole process is asked to stop.
    if (!shell.cancel()) process.kill(process.pid, 'SIGINT');
  };
  await shell.run().finally(() => kept.close());
}

async function runFromPipe(start: Start): Promise<void> {
  const { context, settings, choice } = start;
  const { terminal } = context;
  const source = new PipedLines(terminal.input);
  const kept = await keepIfWanted(start);
  const agent = openAgent(start, kept);
  const opening = renderOpening(
    { root: settings.root, home: terminal.env['HOME'], choice },
    createPainter(terminal.out),
  );
  terminal.out.write(`${opening}\n`);
  await new Shell({ context, agent, choice, source }).run().finally(() => kept.close());
}

/** Without a model there is no conversation to keep, and no reason to leave a file behind unless somebody asks. */
async function keepIfWanted({ context, settings, choice }: Start): Promise<KeptSession> {
  const { resume, db } = context.options;
  const isWanted = choice.model !== undefined || resume !== undefined || db !== undefined;
  return isWanted ? keepSession(settings, context) : NOT_KEPT;
}

function openAgent({ context, settings, choice }: Start, kept: KeptSession, ask?: AskPerson): Agent {
  const { options, terminal } = context;
  return composeAgent(settings, {
    kept: kept.parts,
    terminal,
    approver: createApprover({ ...settings, yes: options.yes, ask }),
    ...(choice.model !== undefined && { model: observeModel(choice.model, context) }),
  });
}

/** What a shell begins with. */
export interface ShellStart {
  /** Folder to work in, absolute. */
  readonly root: string;
  /** Of the user. */
  readonly home?: string | undefined;
  readonly choice: ModelChoice;
}

/** The first line: where one is, and which model answers, or how to get one. */
export function renderOpening({ root, home = homedir(), choice }: ShellStart, paint: Painter): string {
  const { model, reason } = choice;
  const isInHome = root === home || root.startsWith(`${home}/`);
  const place = isInHome ? `~${root.slice(home.length)}` : root;
  const who = model === undefined ? `no model (${WAYS_TO_A_MODEL})` : `model: ${reason}`;
  return `${paint('strong', 'bae')} in ${visibleLine(place)} · ${visibleLine(who)}`;
}

/** What there is at home, and what can be typed: for people who have just arrived. */
export function renderOrientation(tree: SpaceTree, paint: Painter): string {
  const { description, tools, children } = outlineSpaces(tree);
  const row = (name: string, about: string) => `  ${paint('strong', name)} -- ${visibleLine(about)}`;
  return [
    row('home', description),
    `    ${tools.join(', ')}`,
    ...children.map((space) => row(`${space.path}()`, space.description)),
    paint('debug', 'Type <R:> or /read to list, help, nav(), a question for the model, or exit.'),
  ].join('\n');
}
