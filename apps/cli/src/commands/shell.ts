import { homedir } from 'node:os';
import type { SpaceTree } from '@bae/core';
import { createLedger, type Ledger, type ModelChoice } from '@bae/models';
import { WorkspaceRoot } from '@bae/workspace';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { parseArguments } from '../command-line/options.ts';
import { composeAgent } from '../compose.ts';
import { loadInstructions } from '../config/instructions.ts';
import { printNotices } from '../config/settings.ts';
import { loadTrustedSettings } from '../consent/ask-trust.ts';
import { getWantedSession, keepSession, NOT_KEPT } from '../kept-session.ts';
import { completeWith, openShellIo, runShellLoop, type ShellCommands } from '../shell/shell.ts';
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
    const isKept = model !== undefined || getWantedSession(options) !== undefined || options.db !== undefined;
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
    const commands = listShellCommands(context, ledger);
    await runShellLoop({ context, agent, choice, source: io.source, commands }).finally(() => kept.close());
    if (options.usage) terminal.out.write(`${renderUsageTable(ledger)}\n`);
    return 0;
  } finally {
    await model?.dispose?.();
  }
}

/** Commands of bae that the shell takes with a slash before them. */
const IN_SHELL: Readonly<Record<string, { readonly does: string; load(): Promise<RunCommand> }>> = {
  sessions: { does: 'the sessions of this folder', load: async () => (await import('./sessions.ts')).runSessions },
  approvals: {
    does: 'answers that hold for the rest of a session',
    load: async () => (await import('./sessions.ts')).runApprovals,
  },
  audit: { does: 'who allowed or refused what', load: async () => (await import('./sessions.ts')).runAudit },
  tasks: { does: 'the tasks that you share with agents', load: async () => (await import('./tasks.ts')).runTasks },
  spaces: { does: 'all places with their tools', load: async () => (await import('./spaces.ts')).runSpaces },
  doctor: { does: 'what works on this machine', load: async () => (await import('./doctor.ts')).runDoctor },
};

function listShellCommands(context: CommandContext, ledger: Ledger): ShellCommands {
  const others = Object.entries(IN_SHELL).map(([name, command]) => {
    const run = async (words: readonly string[]) => {
      const { positionals, options } = parseArguments([name, ...words], Object.keys(IN_SHELL));
      const { cwd, db } = context.options;
      const place = { ...(cwd !== undefined && { cwd }), ...(db !== undefined && { db }) };
      const runCommand = await command.load();
      return runCommand({ ...context, positionals, options: { ...options, ...place } });
    };
    return [name, { does: command.does, run }] as const;
  });
  const run = async () => context.terminal.out.write(`${renderUsageTable(ledger)}\n`);
  return { cost: { does: 'tokens and money by turn, tool and place', run }, ...Object.fromEntries(others) };
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
    paint('debug', 'Type <R:> or /read to list, ? for all that can be typed, a question for the model, or exit.'),
  ].join('\n');
}
