import { randomUUID } from 'node:crypto';
import type { Message, Model, ModelPart, ModelRequestOptions } from '@bae/core';
import type { Environment } from '../environment.ts';
import { BackendSessions } from './backend-sessions.ts';
import { exitError, timeoutError } from './exit-error.ts';
import { ProcessGroup, type CommandExit } from './process-group.ts';
import { instructionsOf, newsPrompt, openingPrompt } from './transcript.ts';

/** How the `claude` command line is run. */
export interface ClaudeCliOptions {
  /** Model that it is to use: `opus`, `claude-sonnet-5-5`. Default: its own. */
  readonly model?: string;
  /** Default: `claude`, looked up on the PATH. */
  readonly command?: string;
  /** Environment of the command. Default: this process's own. */
  readonly env?: Environment;
  /** Folder it runs in. Default: this process's own. */
  readonly cwd?: string;
  /** Longest time one response may take, in milliseconds. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 600_000;

/** Its own tools, hooks, servers and commands stay out: what it says is all that counts. */
const TEXT_ONLY = [
  ['--print', '--output-format', 'text'],
  ['--tools', '', '--strict-mcp-config', '--disable-slash-commands', '--setting-sources', 'user'],
].flat();

/**
 * The `claude` command line as a model: it gives text, and nothing of its own is executed.
 *
 * It keeps conversations itself, so each of ours is one of its sessions: created by the first send,
 * resumed by the next. After an abort, an error or a timeout the next send opens a fresh session and
 * tells it the conversation so far. Any number of conversations may go on side by side.
 */
export function claudeCli(options: ClaudeCliOptions = {}): Model {
  return new ClaudeCli(options);
}

interface Send {
  readonly id: string;
  readonly args: readonly string[];
}

interface Outcome {
  readonly exit: CommandExit;
  readonly stopped: Stop | undefined;
  readonly output: string;
}

/** Why a command was ended before its time. */
type Stop = 'aborted' | 'late';

class ClaudeCli implements Model {
  readonly name: string;
  /** Nothing is printed before the response is complete, so silence says nothing until then. */
  readonly idleMs: number;
  private readonly command: string;
  private readonly sessions = new BackendSessions();
  private readonly running = new Set<ProcessGroup>();

  constructor(private readonly options: ClaudeCliOptions) {
    this.name = options.model === undefined ? 'claude-cli' : `claude-cli/${options.model}`;
    this.command = options.command ?? 'claude';
    this.idleMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  async *respond(messages: readonly Message[], { signal }: ModelRequestOptions): AsyncGenerator<ModelPart, void> {
    if (signal.aborted) {
      yield { type: 'end', reason: 'cancelled' };
      return;
    }
    const send = this.prepare(messages);
    const group = this.start(send.args);
    const watch = new Watch(group, signal, this.idleMs);
    let output = '';
    try {
      for await (const text of withoutLastLineBreak(group.output())) {
        if (watch.stopped !== undefined) break;
        output += text;
        yield { type: 'text-delta', text };
      }
      const last = this.lastPart({ exit: await group.exit, stopped: watch.stopped, output });
      if (last.type === 'end' && last.reason === 'stop') this.sessions.keep(send.id, messages, output);
      yield last;
    } finally {
      watch.end();
      group.kill();
      this.running.delete(group);
    }
  }

  dispose(): void {
    for (const group of this.running) group.kill();
    this.sessions.clear();
  }

  private start(args: readonly string[]): ProcessGroup {
    const { env, cwd } = this.options;
    const group = new ProcessGroup(this.command, args, {
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.running.add(group);
    return group;
  }

  private lastPart({ exit, stopped, output }: Outcome): ModelPart {
    const { name, command } = this;
    if (stopped === 'aborted') return { type: 'end', reason: 'cancelled' };
    if (stopped === 'late') return { type: 'error', error: timeoutError(name, this.idleMs) };
    if (exit.kind === 'exited' && exit.code === 0) return { type: 'end', reason: 'stop' };
    return { type: 'error', error: exitError({ name, command, exit, output }) };
  }

  private prepare(messages: readonly Message[]): Send {
    const resumed = this.sessions.take(messages);
    const id = resumed?.id ?? randomUUID();
    const { model } = this.options;
    const instructions = instructionsOf(messages);
    const args = [
      ...TEXT_ONLY,
      ...(model === undefined ? [] : ['--model', model]),
      // Not remembered by a session: without it a resumed one falls back to its built-in instructions.
      ...(instructions === '' ? [] : ['--system-prompt', instructions]),
      ...(resumed === undefined ? ['--session-id', id] : ['--resume', id]),
      '--',
      resumed === undefined ? openingPrompt(messages) : newsPrompt(resumed.news),
    ];
    return { id, args };
  }
}

/** Ends a group when the signal aborts or the time is over, and remembers which it was. */
class Watch {
  stopped: Stop | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly group: ProcessGroup,
    private readonly signal: AbortSignal,
    ms: number,
  ) {
    this.timer = setTimeout(() => this.stop('late'), ms);
    signal.addEventListener('abort', this.abort, { once: true });
  }

  end(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.abort);
  }

  private readonly abort = (): void => this.stop('aborted');

  private stop(why: Stop): void {
    this.stopped ??= why;
    this.group.kill();
  }
}

/** The command ends its output with a line break that the model never said. */
async function* withoutLastLineBreak(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held = '';
  for await (const chunk of chunks) {
    const text = held + chunk;
    held = text.endsWith('\n') ? '\n' : '';
    const said = held === '' ? text : text.slice(0, -1);
    if (said !== '') yield said;
  }
}
