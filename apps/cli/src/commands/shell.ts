import { homedir } from 'node:os';
import type { SpaceTree } from '@bae/core';
import { createLedger, type ModelChoice } from '@bae/models';
import { WorkspaceRoot } from '@bae/workspace';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { loadInstructions } from '../config/instructions.ts';
import { printNotices } from '../config/settings.ts';
import { loadTrustedSettings } from '../consent/ask-trust.ts';
import { keepSession, NOT_KEPT } from '../kept-session.ts';
import { completeWith, openShellIo, runShellLoop } from '../shell/shell.ts';
import { outlineSpaces } from '../space-outline.ts';
import { createPainter, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { renderUsageTable } from '../views/usage-table.ts';

/** `bae`: the shell, which reads lines from a person at a terminal or from a pipe. */
export async function runShell(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (options.json) throw new UsageError('the shell has no --json; bae do --json and bae ask --json have.');
  const settings = await loadTrustedSettings(context);
  printNotices(settings, terminal);
  const choice = await chooseModelFor(settings, context);
  const { model } = choice;
  try {
    // Without a model there is no conversation to keep.
    const isKept = model !== undefined || options.resume !== undefined || options.db !== undefined;
    const kept = isKept ? await keepSession(settings, context) : NOT_KEPT;
    const instructions = model === undefined ? '' : await loadInstructions(settings.root, context);
    const io = openShellIo(context);
    const agent = composeAgent(settings, context, { kept: kept.parts, ask: io.ask, model, context: instructions });
    const workspace = new WorkspaceRoot(settings.root);
    io.helpWith(completeWith(agent, (folder) => workspace.list(folder).catch(() => [])));
    const ledger = createLedger(settings.prices ?? model?.prices);
    agent.subscribe(ledger.add);
    const paint = createPainter(terminal.out);
    terminal.out.write(`${renderOpening({ root: settings.root, home: terminal.env['HOME'], choice }, paint)}\n`);
    if (terminal.interactive) terminal.out.write(`${renderOrientation(agent.tree, paint)}\n`);
    await runShellLoop({ context, agent, choice, source: io.source }).finally(() => kept.close());
    if (options.usage) terminal.out.write(`${renderUsageTable(ledger)}\n`);
    return 0;
  } finally {
    await model?.dispose?.();
  }
}

/** The first line: the folder, and the model or how to get one. */
export function renderOpening(
  { root, home = homedir(), choice }: { root: string; home?: string | undefined; choice: ModelChoice },
  paint: Painter,
): string {
  const { model, reason } = choice;
  const isInHome = root === home || root.startsWith(`${home}/`);
  const place = isInHome ? `~${root.slice(home.length)}` : root;
  const who = model === undefined ? `no model (${WAYS_TO_A_MODEL})` : `model: ${reason}`;
  return `${paint('strong', 'bae')} in ${makeLineVisible(place)} · ${makeLineVisible(who)}`;
}

/** What is at home and what can be typed, for newcomers. */
export function renderOrientation(tree: SpaceTree, paint: Painter): string {
  const { description, tools, children } = outlineSpaces(tree);
  const row = (name: string, about: string) => `  ${paint('strong', name)} -- ${makeLineVisible(about)}`;
  return [
    row('home', description),
    `    ${tools.join(', ')}`,
    ...children.map((space) => row(`${space.path}()`, space.description)),
    paint('debug', 'Type <R:> or /read to list, help, nav(), a question for the model, or exit.'),
  ].join('\n');
}
