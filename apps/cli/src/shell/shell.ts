import { asModelText, type Agent } from '@bae/core';
import { formatBreadcrumb } from '@bae/core/pipeline';
import type { ModelChoice } from '@bae/models';
import type { CommandContext } from '../command-line/command.ts';
import { explainError } from '../command-line/errors.ts';
import type { AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { collectNames } from '../space-outline.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { PipedLines, type LineSource } from '../terminal/piped-input.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createView, isDebug } from '../views/create-view.ts';
import { createUserView, type View } from '../views/user-view.ts';
import { gatherBody } from './gather-body.ts';
import { gatherCode } from './gather-code.ts';
import { interpret, isCode, type ShellInput } from './interpret.ts';

export interface ShellIo {
  readonly source: LineSource;
  /** Absent when there is nobody to ask. */
  readonly ask?: AskPerson;
  print(line: string): void;
}

/** Opens the keyboard, or the pipe. */
export function openShellIo({ terminal }: CommandContext): ShellIo {
  if (!terminal.interactive)
    return { source: new PipedLines(terminal.input), print: (line) => terminal.out.write(`${line}\n`) };
  const reader = new LineReader(terminal);
  return { source: reader, ask: askAtTerminal({ terminal, reader }), print: (line) => reader.printAbove(line) };
}

export interface ShellParts {
  readonly context: CommandContext;
  readonly agent: Agent;
  readonly choice: ModelChoice;
  readonly source: LineSource;
}

const CODE_MODE =
  'lines are code now: TypeScript with the tools of the place. /code ends it, /help run lists what there is.';
const WITHOUT_MODEL =
  'There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.';

/** Reads lines and executes them, until the input ends or the process is asked to stop. */
export class Shell {
  readonly #parts: ShellParts;
  readonly #terminal: Terminal;
  readonly #signal: AbortSignal;
  readonly #turns: View;
  /** Shows the results of typed tags. */
  readonly #typed: View;
  /** Shows the results of typed code. */
  readonly #code: View;
  #view: View;
  #running: AbortController | undefined;
  #inCode = false;
  /** True when the last run block failed. */
  #hasFailed = false;

  constructor(parts: ShellParts) {
    const { agent, source, context } = parts;
    const { options, terminal, signal } = context;
    this.#parts = parts;
    this.#terminal = terminal;
    this.#signal = signal;
    this.#turns = createView({ options, terminal, tree: agent.tree });
    this.#typed = isDebug(options) ? this.#turns : createUserView(terminal.out);
    this.#code = isDebug(options) ? this.#turns : createUserView(terminal.out, 'lines');
    this.#view = this.#typed;
    source.onInterrupt = () => {
      // A second Ctrl-C stops the whole process.
      if (!this.cancel()) process.kill(process.pid, 'SIGINT');
    };
    // Ends a pending read.
    signal.addEventListener('abort', () => source.close(), { once: true });
    agent.subscribe((event) => {
      if (event.type === 'run-end') this.#hasFailed = !event.ok;
      this.#view(event);
    });
  }

  /** Runs to the end, and closes the source and the agent. */
  async run(): Promise<void> {
    const { source, agent } = this.#parts;
    try {
      while (!this.#signal.aborted) {
        const line = await source.next(this.#prompt());
        if (line.kind !== 'line') return;
        const input = await this.#read(line.text);
        if (input.kind === 'exit') return;
        await this.#execute(input);
      }
    } finally {
      source.close();
      await agent.close();
    }
  }

  /** Cancels what is running, if anything. Returns false when that was cancelled before and has not ended. */
  cancel(): boolean {
    if (this.#running?.signal.aborted === true) return false;
    this.#running?.abort();
    return true;
  }

  #prompt(): string {
    const paint = createPainter(this.#terminal.out);
    const place = formatBreadcrumb(this.#parts.agent.location);
    return this.#inCode ? `${paint('code', `${place} code>`)} ` : `${paint('ai', `${place}>`)} `;
  }

  /** Reads the lines that belong to a line, and interprets them. */
  async #read(line: string): Promise<ShellInput> {
    const { agent, source } = this.#parts;
    const { tree, location } = agent;
    const place = { tree, location, inCode: this.#inCode };
    const isCommand = (other: string) => other.trim() !== '' && !isCode(other, place);
    const onGivenUp = (other: string) => this.#hint(`nothing was run of the code before ${other}: it had not ended.`);
    const text = await (isCode(line, place)
      ? gatherCode(line, source, { needsMore, isCommand, onGivenUp })
      : gatherBody(line, source, collectNames(tree)));
    return text === undefined ? { kind: 'nothing' } : this.#addPasted(interpret(text, place));
  }

  /** Several pasted lines are one question. */
  async #addPasted(input: ShellInput): Promise<ShellInput> {
    const { source } = this.#parts;
    if (input.kind !== 'question') return input;
    let { text } = input;
    while (source.isPasted) {
      const line = await source.next('… ');
      if (line.kind === 'interrupt') return { kind: 'nothing' };
      if (line.kind === 'end') break;
      text += `\n${line.text}`;
    }
    return { kind: 'question', text: text.trim() };
  }

  async #execute(input: Exclude<ShellInput, { kind: 'exit' }>): Promise<void> {
    const { agent, choice } = this.#parts;
    switch (input.kind) {
      case 'nothing':
        return;
      case 'switch':
        this.#inCode = !this.#inCode;
        return this.#hint(this.#inCode ? CODE_MODE : 'lines are for the model and for tags again.');
      case 'mistake':
        return this.#hint(input.message);
      case 'tags':
        return this.#runCancellable(this.#typed, (signal) => agent.run(asModelText(input.text), { signal }));
      case 'code':
        await this.#runCancellable(this.#code, (signal) => agent.run(asModelText(input.text), { signal }));
        return input.hint !== undefined && this.#hasFailed ? this.#hint(input.hint) : undefined;
      case 'question':
        if (choice.model === undefined) return this.#hint(WITHOUT_MODEL);
        return this.#runCancellable(this.#turns, (signal) => agent.ask(input.text, { signal }));
    }
  }

  async #runCancellable(view: View, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { agent, context } = this.#parts;
    const running = new AbortController();
    this.#running = running;
    this.#view = view;
    try {
      await work(AbortSignal.any([this.#signal, running.signal]));
    } catch (error) {
      if (this.#signal.aborted) return;
      if (running.signal.aborted) this.#hint(`cancelled ai:${agent.label}`);
      else this.#terminal.err.write(createPainter(this.#terminal.err)('error', explainError(error, context.options)));
    } finally {
      this.#running = undefined;
    }
  }

  #hint(message: string): void {
    const { err } = this.#terminal;
    err.write(`${createPainter(err)('hint', makeLineVisible(message))}\n`);
  }
}

async function needsMore(code: string): Promise<boolean> {
  const sandbox = await import('@bae/sandbox');
  return sandbox.isIncompleteCode(code);
}
