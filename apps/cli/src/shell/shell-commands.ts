import { resolve } from 'node:path';
import type { Agent, AgentEvent } from '@bae/core';
import { DEFAULT_MODELS, type Ledger } from '@bae/models';
import type { Entry } from '@bae/store';
import { formatQuantity } from '@bae/workspace';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { writeNewFile } from '../config/disk.ts';
import { MODES, nextMode, type Mode } from '../consent/modes.ts';
import type { KeptSession } from '../kept-session.ts';
import type { Output } from '../terminal/terminal.ts';
import { SUMMARY_REQUEST } from '../views/read-prose.ts';
import { renderUsageTable } from '../views/usage-table.ts';
import { CHANNELS, VIEWS, type ChannelName, type ViewName, type ViewSwitch } from '../views/view-switch.ts';
import { makeLineVisible, truncate } from '../terminal/terminal-text.ts';
import { writeAsMarkdown } from './transcript.ts';
import { MOVES } from './shell-input.ts';

/** Access of a command to the shell in which it was typed. */
export interface ShellControl {
  readonly agent: Agent;
  /** True while lines are interpreted as code. */
  readonly inCode: boolean;
  readonly views: ViewSwitch;
  /** Labels of the open sessions. */
  readonly labels: readonly string[];
  /** Mode that decides about calls that need consent. */
  mode: Mode;
  /** Continues with another session. */
  use(agent: Agent): void;
  /** Asks the model. Resolves to undefined if that was cancelled or failed, or if there is no model. */
  ask(text: string, origin?: 'others' | 'summary'): Promise<string | undefined>;
  /** Prints a message from the shell itself. */
  readonly hint: (text: string) => void;
  /** Shows the earlier output again, in the current view. */
  readonly redraw: () => Promise<void>;
  /** Shows the last turn with its complete results, or as before. */
  toggleWhole(): void;
}

/** Command with a short description. */
export interface ShellCommand {
  readonly does: string;
  /** Group of the command in the help. Default: the commands of the session. */
  readonly group?: 'this folder' | 'prompts';
  /** Returns the words that may follow it, for completion. Default: paths of files. */
  readonly words?: () => readonly string[];
  run(words: readonly string[], shell: ShellControl): Promise<unknown>;
}

/** Commands by name, without the slash. */
export type ShellCommands = Readonly<Record<string, ShellCommand>>;

/** Most recent response of a session. */
type LastResponse = Extract<AgentEvent, { type: 'response-end' }>;

export interface SessionCommandParts {
  readonly context: CommandContext;
  readonly kept: KeptSession;
  readonly ledger: Ledger;
  /** Receives the events of a session that is resumed. */
  readonly onEarlier: (agent: Agent, events: readonly AgentEvent[]) => void;
  /** Returns the last response of the current session, if any. */
  readonly last: () => LastResponse | undefined;
  /** Changes the model of the session. Returns the reason why it was chosen. @throws ConfigurationError */
  readonly changeModel: (name: string) => Promise<string>;
}

const INIT =
  'Look at this project (its README, manifest, folders and scripts) and write AGENTS.md for agents that will work on it: ' +
  'what it is, where things are, how to build, test and check it, and what must not be done. At most 60 lines. ' +
  'When there is one already, improve it.';

/** Lists the commands that act on the session of the shell. */
export function listSessionCommands(parts: SessionCommandParts): ShellCommands {
  const { context, kept, ledger, last, onEarlier, changeModel } = parts;
  const { terminal } = context;
  return {
    view: {
      does: `how the session is shown: ${VIEWS.join(', ')} (Ctrl-V: the next one)`,
      words: () => VIEWS,
      run: async ([name, ...more], shell) => {
        if (more.length > 0 || (name !== undefined && !VIEWS.includes(name as ViewName)))
          throw new UsageError(`/view takes ${VIEWS.join(', ')}, or nothing for the next one; got ${name}.`);
        shell.views.choose(name === undefined ? shell.views.next : (name as ViewName));
        await shell.redraw();
      },
    },
    mode: {
      does: `what happens to calls that need consent: ${MODES.map(({ id }) => id).join(', ')} (Shift-Tab: the next one)`,
      words: () => MODES.map(({ id }) => id),
      run: async ([name, ...more], shell) => {
        const wanted = name === undefined ? nextMode(shell.mode) : MODES.find(({ id }) => id === name)?.id;
        if (wanted === undefined || more.length > 0)
          throw new UsageError(`/mode takes ${MODES.map(({ id }) => id).join(', ')}, or nothing for the next one.`);
        shell.mode = wanted;
        shell.hint(`mode ${wanted}: ${MODES.find(({ id }) => id === wanted)!.description.toLowerCase()}.`);
      },
    },
    model: {
      does: 'the model, and /model provider/name for another one',
      words: () => [...Object.entries(DEFAULT_MODELS).map(([provider, name]) => `${provider}/${name}`), 'ollama/'],
      run: async ([name, ...more], shell) => {
        if (more.length > 0) throw new UsageError('/model takes one name: provider/name.');
        shell.hint(`model: ${await changeModel(name ?? '')}`);
      },
    },
    context: {
      does: 'how full the context of the model is',
      run: async (words, shell) => {
        takeNoWords('context', words);
        shell.hint(describeContext(last()));
      },
    },
    cost: {
      does: 'tokens and money by turn, tool and place',
      run: async (words) => {
        takeNoWords('cost', words);
        terminal.out.write(`${renderUsageTable(ledger)}\n`);
      },
    },
    new: {
      does: 'a new session; the old one is kept (/sessions)',
      run: async (words, shell) => {
        takeNoWords('new', words);
        shell.use(shell.agent.session(shell.agent.label, await kept.open(undefined, { label: shell.agent.label })));
        shell.hint('a new session: the model knows nothing about the last one.');
      },
    },
    resume: {
      does: 'continue an earlier session: the last one, or /resume ID',
      words: () => kept.ids().map((id) => id.slice(0, 13)),
      run: async ([id, ...more], shell) => {
        if (more.length > 0) throw new UsageError('/resume takes the beginning of one id of /sessions.');
        if (id !== undefined && shell.agent.id.startsWith(id))
          throw new UsageError('this is the session that you are in. /sessions lists the others.');
        const own = await kept.open(id ?? 'last', { except: shell.agent.id });
        shell.use(shell.agent.session(own.resume?.label ?? shell.agent.label, own));
        onEarlier(shell.agent, await showEarlier(shell, kept, terminal.out));
      },
    },
    fork: {
      does: 'a copy of this session beside it: /fork idea, then @idea goes there and @1 back',
      run: async ([label = '', ...more], shell) => {
        if (!/^[A-Za-z][\w-]*$/.test(label) || more.length > 0)
          throw new UsageError('/fork takes one name of letters, digits, _ and -: /fork idea');
        if (shell.labels.includes(label)) throw new UsageError(`there is a session ${label} already: @${label}`);
        const response = last();
        shell.use(shell.agent.session(label, await kept.fork(shell.agent.id, label)));
        if (response !== undefined) onEarlier(shell.agent, [response]);
        shell.hint(`session ${label}, which knows what this one knew; @1 goes back to the first.`);
      },
    },
    compact: {
      does: 'summarise the session, and continue with only the summary',
      run: async (words, shell) => {
        takeNoWords('compact', words);
        const { agent } = shell;
        if (last() === undefined) throw new UsageError(NOTHING_ASKED);
        const reason = await compactBy(agent, () => shell.ask(SUMMARY_REQUEST, 'summary'));
        if (reason !== undefined) shell.hint(reason);
      },
    },
    channels: {
      does: 'the output by channel, and /channels NAME to hide or show one: everything is stored anyway',
      words: () => CHANNELS,
      run: async ([name, ...more], shell) => {
        if (more.length > 0 || (name !== undefined && !CHANNELS.includes(name as ChannelName)))
          throw new UsageError(
            `/channels takes ${CHANNELS.join(', ')}, or nothing to see which are shown; got ${name}.`,
          );
        if (name !== undefined) shell.views.toggle(name as ChannelName);
        shell.hint(`shown: ${CHANNELS.filter((one) => !shell.views.isHidden(one)).join(', ') || 'nothing'}.`);
      },
    },
    ns: {
      does: 'what can be named here: tools, places and moves; also ns()',
      run: async (words, { agent }) => {
        takeNoWords('ns', words);
        terminal.out.write(`${listNameable(agent).join('\n')}\n`);
      },
    },
    store: {
      does: 'the last 20 prompts, answers and outputs of this session, or those with a text: store("port")',
      run: async (words, { agent, hint }) => {
        const columns = terminal.out.isTerminal ? terminal.out.columns() - 1 : Infinity;
        const lines = renderEntries(kept.entries(agent.id, words.join(' ')), columns);
        if (lines.length === 0) return hint('nothing is kept that matches.');
        terminal.out.write(`${lines.join('\n')}\n`);
      },
    },
    init: {
      does: 'let the model write AGENTS.md for this project',
      run: async (words, shell) => {
        takeNoWords('init', words);
        await shell.ask(INIT);
      },
    },
    export: {
      does: 'write this session to a new Markdown file: /export notes/session.md',
      run: async ([file, ...more], shell) => {
        if (file === undefined || more.length > 0) throw new UsageError('/export takes one file: /export session.md');
        const text = writeAsMarkdown(kept.events(shell.agent.id) ?? shell.views.events);
        if (!writeNewFile(resolve(context.root, file), text))
          throw new UsageError(`${file} already exists, or cannot be written. Name another file.`);
        shell.hint(`written to ${file}: ${formatQuantity(text.split('\n').length - 1, 'line')}.`);
      },
    },
  };
}

/** Refuses words after a command that takes none. @throws UsageError */
function takeNoWords(command: string, words: readonly string[]): void {
  if (words.length > 0) throw new UsageError(`/${command} takes nothing; got ${words.join(' ')}.`);
}

/** Maximum share of the screen for the end of a conversation that is resumed. */
const SHARE = 0.5;

/**
 * Shows the end of the conversation that is resumed, as it was shown then, between two lines that tell which it is.
 *
 * @returns all of its events
 */
export async function showEarlier(
  { agent, views, hint }: Pick<ShellControl, 'agent' | 'views' | 'hint'>,
  kept: KeptSession,
  out: Output,
): Promise<readonly AgentEvent[]> {
  const events = kept.events(agent.id) ?? [];
  const turns = events.filter(({ type }) => type === 'turn-start').length;
  const title = `session ${agent.id.slice(0, 13)}`;
  const end = `${title}, ${formatQuantity(turns, 'turn')} so far.`;
  if (out.isTerminal) out.write(`${await views.recall({ events, title, end }, Math.floor(out.rows() * SHARE))}\n`);
  else hint(end);
  return events;
}

/** Message for a conversation that is empty. */
export const NOTHING_ASKED = 'nothing has been asked yet.';

/** Returns the last response in the current conversation, if any. */
export function findLastResponse(events: readonly AgentEvent[]): LastResponse | undefined {
  const found = events.findLast((event) => event.type === 'response-end' || isCompaction(event));
  return found?.type === 'response-end' ? found : undefined;
}

/** Returns true if the conversation was replaced by a summary. */
export function isCompaction(event: AgentEvent): boolean {
  return event.type === 'notice' && event.code === 'compacted';
}

/** Describes how full the context of the model is. */
export function describeContext(last: LastResponse | undefined): string {
  if (last === undefined) return NOTHING_ASKED;
  const { inputTokens, cachedTokens, outputTokens } = last.usage;
  const share = (last.context * 100).toFixed(1);
  return `${share} % of the context: the last request had ${inputTokens} tokens (${cachedTokens} cached), its response ${outputTokens}.`;
}

/** Lists what a line may name at this location, with its type and its purpose: tools, places and moves. */
function listNameable({ tree, location }: Pick<Agent, 'tree' | 'location'>): readonly string[] {
  const rows = [
    ...Object.values(tree.at(location)?.tools ?? {}).map(({ name, description }) => [
      name,
      'tool',
      takeSummary(description),
    ]),
    ...tree.below([]).map(({ name, description }) => [`${name}()`, 'place', takeSummary(description)]),
    ...MOVES.map((name) => [`${name}()`, 'move', '']),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** Renders kept entries, oldest first, as one line each: `[ai:input] Where is the port set?` */
function renderEntries(entries: readonly Entry[], columns: number): readonly string[] {
  return entries.map(({ channel, direction, content }) =>
    truncate(`[${channel}:${direction}] ${makeLineVisible(content.trim())}`, columns),
  );
}

function takeSummary(text: string): string {
  return makeLineVisible(text.split('\n', 1)[0]!);
}

/**
 * Replaces a conversation by the summary that a turn answers with. Resolves to the reason if that turn was stopped
 * before its answer: what the model wrote until then is no summary.
 *
 * @param ask takes the turn; resolves to undefined if it was cancelled or failed, as was said then
 */
export async function compactBy(
  agent: Pick<Agent, 'compact' | 'subscribe'>,
  ask: () => Promise<string | undefined>,
): Promise<string | undefined> {
  let isAnswered = false;
  const stop = agent.subscribe((event) => {
    if (event.type === 'turn-end') isAnswered = event.outcome === 'answered';
  });
  const summary = await ask().finally(stop);
  if (summary === undefined) return undefined;
  if (!isAnswered || summary.trim() === '')
    return 'the model wrote no summary before the turn ended, so the conversation stays as it is.';
  await agent.compact(summary);
  return undefined;
}
