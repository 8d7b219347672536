import { homedir } from 'node:os';
import { basename, dirname, isAbsolute } from 'node:path';
import type { Agent, AgentEvent, SpaceTree } from '@bae/core';
import { createLedger, type ModelChoice } from '@bae/models';
import { locateBelow, WorkspaceRoot } from '@bae/workspace';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext, RunCommand } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { parseArguments } from '../command-line/options.ts';
import { composeAgent } from '../compose.ts';
import { loadInstructions, NO_INSTRUCTIONS } from '../config/instructions.ts';
import { printNotices, type Settings } from '../config/settings.ts';
import { loadTrustedSettings } from '../consent/ask-trust.ts';
import { findPromptFiles, fetchServerPrompt, listServerPrompts } from '../config/prompts.ts';
import { openRestricted } from '../consent/approver.ts';
import { decideByMode, nextMode } from '../consent/modes.ts';
import { keepDecisions, getWantedSession, keepSession } from '../kept-session.ts';
import { completeWith } from '../shell/complete-line.ts';
import { openShellIo } from '../shell/shell-io.ts';
import { runShellLoop, type Consent } from '../shell/shell.ts';
import { renderMenu } from '../shell/help-text.ts';
import { countOpenTasks, NO_TASKS, renderToolbar, type ToolbarState } from '../shell/toolbar.ts';
import {
  findLastResponse,
  isCompaction,
  listSessionCommands,
  showEarlier,
  type ShellCommand,
  type ShellCommands,
  type ShellControl,
} from '../shell/shell-commands.ts';
import { outlineSpaces } from '../space-outline.ts';
import { wrapWords } from '../terminal/live-area.ts';
import { createPainter, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { forwardModel } from '../views/create-view.ts';
import { createWaiting } from '../views/waiting.ts';
import { renderUsageTable } from '../views/usage-table.ts';
import { resolveLinks, shortenHome } from '../config/disk.ts';

/** Runs `bae`, the shell, which reads lines from a person at a terminal or from a pipe. */
export async function runShell(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (options.json) throw new UsageError('the shell has no --json; use bae do --json or bae ask --json.');
  const settings = await loadTrustedSettings(context);
  printNotices(settings, terminal);
  const choice = await chooseModelFor(settings, context);
  let { model } = choice;
  let { reason } = choice;
  const models = new Set(model === undefined ? [] : [model]);
  try {
    // Without a model, there is no conversation to keep.
    const isKept = model !== undefined || getWantedSession(options) !== undefined || options.db !== undefined;
    const kept = isKept ? await keepSession(settings, context) : keepDecisions(settings, context);
    const instructions = model === undefined ? NO_INSTRUCTIONS : await loadInstructions(settings.root, context);
    const io = openShellIo(context);
    const consent: Consent = { mode: 'ask', isTyped: false };
    const modes = decideByMode(() => (consent.isTyped ? 'typed' : consent.mode));
    let shell: ShellControl | undefined;
    const agent = composeAgent(settings, context, {
      kept: kept.parts,
      ask: io.ask && modes.wrapAsk(io.ask),
      askPerson: io.askPerson,
      wrapApprover: modes.wrapApprover,
      observe: (message) => shell?.views.showMessage(message),
      model: model && forwardModel(() => model!),
      instructions,
    });
    const changeModel = async (name: string): Promise<string> => {
      if (name === '') return reason;
      if (model === undefined) throw new UsageError(`start bae with --model ${name}: this session began without one.`);
      ({ model = model, reason } = await chooseModelFor(settings, {
        ...context,
        options: { ...options, model: name },
      }));
      models.add(model);
      return reason;
    };
    const ledger = createLedger(settings.prices ?? model?.prices);
    /** The last response of each session. */
    const responses = new Map<Agent, Extract<AgentEvent, { type: 'response-end' }>>();
    const getLast = () => responses.get(shell?.agent ?? agent);
    const onEarlier = (of: Agent, events: readonly AgentEvent[]): void => {
      const found = findLastResponse(events);
      if (found !== undefined) responses.set(of, found);
    };
    let tasks = NO_TASKS;
    const describe = (of: ShellControl): ToolbarState => {
      const { root } = settings;
      return { shell: of, ledger, last: getLast(), model: model?.name, tasks, root, home: terminal.env['HOME'] };
    };
    const showToolbar = (): string =>
      shell === undefined ? '' : renderToolbar(describe(shell), terminal.out.columns());
    const updateTasks = async (): Promise<void> => void (tasks = await countOpenTasks(settings.root));
    const onEvent = async (event: AgentEvent): Promise<void> => {
      ledger.add(event);
      if (event.type === 'response-end') responses.set(shell?.agent ?? agent, event);
      if (isCompaction(event)) responses.delete(shell?.agent ?? agent);
      if (event.type === 'call-end' && event.space === 'tasks') await updateTasks();
    };
    const own = {
      ...listOtherCommands(context),
      ...listSessionCommands({ context, kept, ledger, last: getLast, onEarlier, changeModel }),
    };
    // Listed again each time, because files may be written and servers entered while the shell is open.
    const commands = (): ShellCommands => ({ ...listPromptCommands(settings, context, agent.tree), ...own });
    const workspace = openRestricted(settings, terminal.env);
    const listFolder = (folder: string) => workspace.list(folder).catch(() => []);
    // Secrets are refused here too.
    const readBytes = async (path: string) => {
      const whole = path.replace(/^~(?=\/)/, terminal.env['HOME'] ?? homedir());
      try {
        const real = isAbsolute(whole) ? resolveLinks(whole) : whole;
        const inside = isAbsolute(real) ? locateBelow(workspace.folder, real) : real;
        using elsewhere = inside === undefined ? new WorkspaceRoot(dirname(real)) : undefined;
        const file = elsewhere?.open(basename(real)) ?? workspace.open(inside!);
        return (await file.read())?.content;
      } catch {
        return undefined;
      }
    };
    const paint = createPainter(terminal.out);
    const onStart = async (started: ShellControl): Promise<void> => {
      shell = started;
      io.helpWith({
        ...completeWith(() => started, commands, listFolder),
        keys: bindKeys(started),
        menu: (text) => renderMenu(text, { agent: started.agent, commands }, terminal.out),
        toolbar: () => paint('quiet', showToolbar()),
      });
      // The prompt, which has a toolbar of its own, does not wait for the count, which opens another database.
      if (terminal.interactive)
        setImmediate(() => {
          terminal.status.set('toolbar', showToolbar);
          void updateTasks().then(() => io.refresh());
        });
      if (kept.parts.resume !== undefined) onEarlier(started.agent, await showEarlier(started, kept, terminal.out));
    };
    const columns = terminal.out.isTerminal ? terminal.out.columns() : undefined;
    terminal.out.write(
      `${renderOpening({ root: settings.root, home: terminal.env['HOME'], choice, columns }, paint)}\n`,
    );
    if (terminal.interactive) terminal.out.write(`${renderOrientation(agent.tree, paint, terminal.out.columns())}\n`);
    const onSession = (other: Agent): void => {
      other.subscribe(createWaiting(terminal.status));
    };
    const openSession = (label: string) => kept.open(undefined, { label });
    const parts = {
      context,
      agent,
      choice,
      io,
      consent,
      commands,
      listFolder,
      readBytes,
      // Unless it is declared otherwise, the models of these providers do.
      seesImages: () => settings.accepts?.includes('image') ?? /^(?:anthropic|openai|google)\//.test(model?.name ?? ''),
      openSession,
      onSession,
      onEvent,
      onStart,
    };
    await runShellLoop(parts).finally(() => {
      terminal.status.clear('toolbar');
      kept.close();
    });
    if (options.usage) terminal.out.write(`${renderUsageTable(ledger)}\n`);
    return 0;
  } finally {
    for (const one of models) await one.dispose?.();
  }
}

/** bae commands that can be typed in the shell after a slash. */
const IN_SHELL: Readonly<Record<string, { readonly does: string; readonly load: () => Promise<RunCommand> }>> = {
  sessions: { does: 'the sessions of this folder', load: async () => (await import('./sessions.ts')).runSessions },
  approvals: {
    does: 'answers that apply for the rest of a session, and rules made by answers',
    load: async () => (await import('./sessions.ts')).runApprovals,
  },
  audit: { does: 'who allowed or refused what', load: async () => (await import('./sessions.ts')).runAudit },
  undo: {
    does: 'undo the last change to files, or the last N',
    load: async () => (await import('./undo.ts')).runUndo,
  },
  tasks: {
    does: 'what runs now, to cancel it; otherwise, as with /tasks list, the tasks that you share with agents',
    load: async () => (await import('./tasks.ts')).runTasks,
  },
  spaces: { does: 'all places with their tools', load: async () => (await import('./spaces.ts')).runSpaces },
  mcp: {
    does: 'servers that are places, and their state',
    load: async () => (await import('../mcp/run-mcp.ts')).runMcp,
  },
  doctor: { does: 'what works on this machine', load: async () => (await import('./doctor.ts')).runDoctor },
};

function listOtherCommands(context: CommandContext): ShellCommands {
  const others = Object.entries(IN_SHELL).map(([name, { does, load }]) => {
    const run = async (words: readonly string[], { hint }: ShellControl) => {
      const { positionals, options } = parseArguments([name, ...words], Object.keys(IN_SHELL));
      const { cwd, db, config, model, baseUrl, allowCommands } = context.options;
      const place = {
        ...(cwd !== undefined && { cwd }),
        ...(db !== undefined && { db }),
        ...(config !== undefined && { config }),
        ...(model !== undefined && { model }),
        ...(baseUrl !== undefined && { baseUrl }),
        allowCommands,
      };
      // A person who types it in the shell has already decided, and the shell is using the keyboard.
      const decided = name === 'undo' ? { yes: true } : {};
      const runCommand = await load();
      const code = await runCommand({ ...context, positionals, options: { ...options, ...place, ...decided } });
      if (name === 'mcp' && ['add', 'remove', 'import'].includes(words[0] ?? '') && code === 0)
        hint('places change when bae is started again.');
      return code;
    };
    return [name, { does, group: 'this folder', run }] as const;
  });
  return Object.fromEntries(others);
}

/** Lists the prompts and skills in files, and the prompts of servers, as commands. */
function listPromptCommands(settings: Settings, { terminal, signal }: CommandContext, tree: SpaceTree): ShellCommands {
  const files = findPromptFiles(settings, terminal.env);
  const ofServers = listServerPrompts(tree).map((prompt): [string, ShellCommand] => [
    prompt.name,
    {
      does: prompt.about,
      group: 'prompts',
      run: async (words, shell) =>
        shell.ask(await fetchServerPrompt(prompt, words, { agent: shell.agent, signal }), 'others'),
    },
  ]);
  return Object.fromEntries([
    ...ofServers,
    ...files.map((file): [string, ShellCommand] => [
      file.name,
      {
        does: file.about,
        group: 'prompts',
        run: (words, shell) => shell.ask(file.compose(words), file.isOfProject ? 'others' : undefined),
      },
    ]),
  ]);
}

function bindKeys(shell: ShellControl): Readonly<Record<string, () => void>> {
  return {
    'ctrl-v': () => {
      shell.views.choose(shell.views.next);
      void shell.redraw();
    },
    'ctrl-o': () => shell.toggleWhole(),
    'shift-tab': () => void (shell.mode = nextMode(shell.mode)),
  };
}

/** Facts shown in the first line of the shell. */
interface Opening {
  readonly root: string;
  readonly home?: string | undefined;
  readonly choice: ModelChoice;
  /** Width of the terminal, in columns. Default: the line is not wrapped. */
  readonly columns?: number | undefined;
}

/** Renders the first line: the folder, and the model or how to get one. */
export function renderOpening({ root, home, choice, columns = Infinity }: Opening, paint: Painter): string {
  const { model, reason } = choice;
  const who = model === undefined ? `no model (${WAYS_TO_A_MODEL})` : `model: ${reason}`;
  const lines = wrapWords(`bae in ${makeLineVisible(shortenHome(root, home))} · ${makeLineVisible(who)}`, columns - 1);
  return lines.join('\n').replace(/^bae/, paint('strong', 'bae'));
}

const TYPE = 'Type <R:> or /read to list, ? for everything you can type, a question for the model, or exit.';

/** Renders an introduction for newcomers: the content of home and examples of input. */
export function renderOrientation(tree: SpaceTree, paint: Painter, columns = 120): string {
  const { description, tools, children } = outlineSpaces(tree, [], 1);
  const row = (name: string, about: string) => `  ${paint('strong', name)} -- ${makeLineVisible(about)}`;
  return [
    row('home', description),
    `    ${tools.join(', ')}`,
    ...children.map((space) => row(`${space.path}()`, space.description)),
    ...wrapWords(TYPE, columns - 1).map((line) => paint('debug', line)),
  ].join('\n');
}
