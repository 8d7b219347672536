import { randomUUID } from 'node:crypto';
import { ModelError, type Message, type Model, type ModelPart, type ModelRequestOptions } from '@bae/core';
import { ProcessGroup, type CommandExit, type CommandOptions } from './process-group.ts';

/** Options for running the `claude` command line. */
export interface ClaudeCliOptions extends CommandOptions {
  /** Model to use: `opus`, `claude-sonnet-5-5`. Default: that of the command. */
  readonly model?: string | undefined;
  /** Name or path of the command. Default: `claude`, looked up on the PATH. */
  readonly command?: string;
  /** Time limit of a response, in milliseconds. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 600_000;

/** Arguments that disable its own tools, hooks, servers and commands, because only its text is used. */
const TEXT_ONLY = [
  ['--print', '--output-format', 'text'],
  ['--tools', '', '--strict-mcp-config', '--disable-slash-commands', '--setting-sources', 'user'],
].flat();

/**
 * Makes a model of the `claude` command line, which returns text and executes nothing itself.
 *
 * The command keeps conversations itself, so each of ours is one of its sessions: created by the first request and
 * resumed by the next. After an abort, an error or a timeout, the next request opens a new session with the
 * conversation so far. Any number of conversations may run concurrently.
 */
export function claudeCli(options: ClaudeCliOptions = {}): Model {
  return new ClaudeCli(options);
}

class ClaudeCli implements Model {
  readonly name: string;
  /** Nothing is printed until the response is complete, so the process may be idle until then. */
  readonly idleMs: number;
  readonly #options: ClaudeCliOptions;
  readonly #command: string;
  readonly #sessions = new BackendSessions();
  readonly #running = new Set<ProcessGroup>();

  constructor(options: ClaudeCliOptions) {
    this.#options = options;
    this.name = options.model === undefined ? 'claude-cli' : `claude-cli/${options.model}`;
    this.#command = options.command ?? 'claude';
    this.idleMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  async *respond(messages: readonly Message[], { signal }: ModelRequestOptions): AsyncGenerator<ModelPart, void> {
    if (signal.aborted) {
      yield { type: 'end', reason: 'cancelled' };
      return;
    }
    const { id, args } = this.#prepare(messages);
    const group = new ProcessGroup(this.#command, args, this.#options);
    this.#running.add(group);
    const stop = AbortSignal.any([signal, AbortSignal.timeout(this.idleMs)]);
    stop.addEventListener('abort', () => group.kill(), { once: true });
    let output = '';
    try {
      for await (const text of withoutLastLineBreak(group.output())) {
        if (stop.aborted) break;
        output += text;
        yield { type: 'text-delta', text };
      }
      const exit = await group.exit;
      const last = stop.aborted ? this.#stoppedPart(signal) : this.#lastPart(exit, output);
      if (last.type === 'end' && last.reason === 'stop') this.#sessions.keep(id, messages, output);
      yield last;
    } finally {
      group.kill();
      this.#running.delete(group);
    }
  }

  dispose(): void {
    for (const group of this.#running) group.kill();
    this.#sessions.clear();
  }

  #prepare(messages: readonly Message[]): { readonly id: string; readonly args: readonly string[] } {
    const resumed = this.#sessions.take(messages);
    const id = resumed?.id ?? randomUUID();
    const { model } = this.#options;
    const instructions = joinTexts(messages, 'system');
    const args = [
      ...TEXT_ONLY,
      ...(model === undefined ? [] : ['--model', model]),
      // A session does not store them: without this, a resumed one returns to its built-in instructions.
      ...(instructions === '' ? [] : ['--system-prompt', instructions]),
      ...(resumed === undefined ? ['--session-id', id] : ['--resume', id]),
      '--',
      resumed === undefined ? renderConversation(messages) : joinTexts(resumed.newMessages, 'user'),
    ];
    return { id, args };
  }

  /** Creates the last part of a response that was aborted or took too long. */
  #stoppedPart(signal: AbortSignal): ModelPart {
    if (signal.aborted) return { type: 'end', reason: 'cancelled' };
    const message = `${this.name} gave no answer within ${Math.round(this.idleMs / 1000)} s and was stopped.`;
    return { type: 'error', error: new ModelError(message, { retryable: true }) };
  }

  #lastPart(exit: CommandExit, output: string): ModelPart {
    if (exit.kind === 'exited' && exit.code === 0) return { type: 'end', reason: 'stop' };
    const run = { name: this.name, command: this.#command, output };
    const error = exit.kind === 'not-started' ? toStartError(run, exit.error) : toExitError(run, exit);
    return { type: 'error', error };
  }
}

/** Removes the final line break, which is added by the command and is not part of the response. */
async function* withoutLastLineBreak(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held = '';
  for await (const chunk of chunks) {
    const text = held + chunk;
    held = text.endsWith('\n') ? '\n' : '';
    const passed = held === '' ? text : text.slice(0, -1);
    if (passed !== '') yield passed;
  }
}

interface FailedRun {
  readonly name: string;
  readonly command: string;
  /** Standard output, to which the command writes some errors. */
  readonly output: string;
}

/** Errors caused by the backend session; the next request opens another one. */
const SESSION_TROUBLE = /already in use|no conversation found/i;
const TRANSIENT = /overloaded|rate.?limit|too many requests|\b(429|500|502|503|504|529)\b|ECONNRESET|timed? ?out/i;

/** Creates the error for a command that exited with a code other than 0, or was killed. */
function toExitError(
  { name, command, output }: FailedRun,
  exit: Exclude<CommandExit, { kind: 'not-started' }>,
): ModelError {
  const reason = takeEnd(exit.stderr) || takeEnd(output) || 'it gave no reason';
  const ending = exit.kind === 'exited' ? `ended with exit code ${exit.code}` : `was ended by ${exit.signal}`;
  const retryable = SESSION_TROUBLE.test(reason) || TRANSIENT.test(reason);
  const hints = /login|api key|authenticat/i.test(reason) ? [`run \`${command}\` once and log in`] : [];
  return new ModelError(`${name} ${ending}: ${reason}`, { retryable, hints });
}

/** Returns the last 500 characters of a text. */
function takeEnd(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > 500 ? `…${trimmed.slice(-500)}` : trimmed;
}

function toStartError({ name, command }: FailedRun, error: Error & { readonly code?: string }): ModelError {
  if (error.code === 'ENOENT') {
    return new ModelError(`${name} is not there: the command '${command}' was not found.`, {
      hints: ['install Claude Code, or put it on the PATH', 'choose another model: --model provider/name'],
      cause: error,
    });
  }
  if (error.code === 'E2BIG') {
    return new ModelError(`${name} cannot take this prompt: it is too long for a command line.`, {
      hints: ['ask for less at a time', 'choose another model: --model provider/name'],
      cause: error,
    });
  }
  return new ModelError(`${name} could not be started: ${error.message}`, { cause: error });
}

/** Backend session that a conversation continues. */
export interface ResumedSession {
  readonly id: string;
  /** Messages since the last response: at least one, all from the user. */
  readonly newMessages: readonly Message[];
}

interface KeptSession {
  readonly id: string;
  /** Whole conversation so far, including the last response. */
  readonly messages: readonly Message[];
}

/** Maximum number of kept sessions; the least recently used one is dropped first. */
const MOST_SESSIONS = 32;

/**
 * Mapping of conversations to sessions of the backend.
 *
 * A session is handed out once and must be kept again after a successful response. One that was cancelled or failed is
 * therefore never reused: its backend may have received messages that the conversation does not contain.
 */
export class BackendSessions {
  #sessions: readonly KeptSession[] = [];

  /** Removes and returns the session that a conversation continues; undefined if there is none. */
  take(messages: readonly Message[]): ResumedSession | undefined {
    const session = this.#sessions.find((kept) => isContinued(kept.messages, messages));
    if (session === undefined) return undefined;
    this.#sessions = this.#sessions.filter((kept) => kept !== session);
    return { id: session.id, newMessages: messages.slice(session.messages.length) };
  }

  /** Keeps a session that has received these messages and given this response. */
  keep(id: string, messages: readonly Message[], response: string): void {
    const session: KeptSession = { id, messages: [...messages, { role: 'assistant', text: response }] };
    this.#sessions = [session, ...this.#sessions].slice(0, MOST_SESSIONS);
  }

  clear(): void {
    this.#sessions = [];
  }
}

function isContinued(kept: readonly Message[], messages: readonly Message[]): boolean {
  if (messages.length <= kept.length) return false;
  const isBeginning = kept.every(({ role, text }, index) => {
    const message = messages[index]!;
    return role === message.role && text === message.text;
  });
  return isBeginning && messages.slice(kept.length).every(({ role }) => role === 'user');
}

/** Joins the texts of one side of a conversation. */
export function joinTexts(messages: readonly Message[], side: Message['role']): string {
  const texts = messages.filter(({ role }) => role === side).map(({ text }) => text);
  return texts.join('\n\n');
}

/**
 * Maximum length of a conversation, in bytes. Linux accepts 128 KiB per argument; the rest is for the opening lines.
 */
const LONGEST_BYTES = 120 * 1024;

/**
 * Renders the prompt for a new session: the only message, or the conversation so far.
 *
 * If a conversation is too long for a command line, the oldest messages are omitted.
 */
export function renderConversation(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role !== 'system');
  const only = spoken.length === 1 ? spoken[0] : undefined;
  if (only !== undefined) return only.text;
  const blocks = spoken.map(({ role, text }) => `--- ${role} ---\n${text}`);
  const newest = dropOldest(blocks);
  const left = blocks.length - newest.length;
  const gap = left === 0 ? [] : [`(${left} earlier ${left === 1 ? 'message' : 'messages'} left out)`];
  return ['The conversation so far, oldest message first. Answer the last one.', ...gap, ...newest].join('\n\n');
}

function dropOldest(blocks: readonly string[]): readonly string[] {
  let bytes = 0;
  let start = blocks.length;
  while (start > 0) {
    bytes += Buffer.byteLength(blocks[start - 1]!) + 2;
    // The last message is always kept, because without it there is nothing to respond to.
    if (bytes > LONGEST_BYTES && start < blocks.length) break;
    start--;
  }
  return blocks.slice(start);
}
