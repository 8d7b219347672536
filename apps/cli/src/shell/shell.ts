import { asModelText, type Agent } from '@bae/core';
import { breadcrumb } from '@bae/core/pipeline';
import type { ModelChoice } from '@bae/models';
import type { CommandContext } from '../command-line/command.ts';
import { explainError } from '../command-line/errors.ts';
import { collectNames } from '../space-outline.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { createPainter, visibleLine } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createView, isDebug } from '../views/create-view.ts';
import { TypedView } from '../views/typed-view.ts';
import type { View } from '../views/view.ts';
import { gatherBody } from './gather-body.ts';
import { gatherCode } from './gather-code.ts';
import { interpret, isCode, type ShellInput } from './interpret.ts';

/** What a shell is opened with. */
export interface ShellPlan {
  readonly context: CommandContext;
  readonly agent: Agent;
  readonly choice: ModelChoice;
  readonly source: LineSource;
}

/** A shell that shows things as the command line asks for, and ends when the process is asked to stop. */
export function openShell({ context, agent, choice, source }: ShellPlan): Shell {
  const { options, terminal, signal } = context;
  // The request for a line does not notice that the process was asked to stop.
  signal.addEventListener('abort', () => source.close(), { once: true });
  const turns = createView({ options, terminal, tree: agent.tree });
  const typed = isDebug(options) ? turns : new TypedView(terminal.out);
  const code = isDebug(options) ? turns : new TypedView(terminal.out, 'lines');
  const hasModel = choice.model !== undefined;
  return new Shell({ agent, source, terminal, turns, typed, code, hasModel, debug: options.debug, signal });
}

/** Runs a shell, and closes what it works with. */
export async function runToEnd(shell: Shell, source: LineSource, agent: Agent): Promise<void> {
  try {
    await shell.run();
  } finally {
    source.close();
    await agent.close();
  }
}

/** What a shell is made of. */
export interface ShellParts {
  readonly agent: Agent;
  readonly source: LineSource;
  readonly terminal: Terminal;
  /** Shows turns of the model. */
  readonly turns: View;
  /** Shows the results of what a person typed. */
  readonly typed: View;
  /** Shows the results of code that a person typed. */
  readonly code: View;
  /** False when there is no model to ask. */
  readonly hasModel: boolean;
  readonly debug: boolean;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
}

const CODE_MODE =
  'lines are code now: TypeScript with the tools of the place. /code ends it, /help run lists what there is.';
const WITHOUT_MODEL =
  'There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.';

/** Reads lines and executes them, until there are no more. */
export class Shell {
  readonly #parts: ShellParts;
  #running: AbortController | undefined;
  #view: View;
  #inCode = false;
  /** True when the last run block failed. */
  #hasFailed = false;

  constructor(parts: ShellParts) {
    this.#parts = parts;
    this.#view = parts.typed;
    parts.agent.subscribe((event) => {
      if (event.type === 'run-end') this.#hasFailed = !event.ok;
      this.#view.handle(event);
    });
  }

  async run(): Promise<void> {
    const { source, signal } = this.#parts;
    while (!signal.aborted) {
      const line = await source.next(this.#prompt());
      if (line.kind !== 'line') return;
      const input = await this.#read(line.text);
      if (input.kind === 'exit') return;
      await this.#execute(input);
    }
  }

  /**
   * Cancels what is running; nothing happens when nothing is.
   *
   * @returns false when that was cancelled before and has not ended
   */
  cancel(): boolean {
    if (this.#running?.signal.aborted === true) return false;
    this.#running?.abort();
    return true;
  }

  #prompt(): string {
    const { agent, terminal } = this.#parts;
    const paint = createPainter(terminal.out);
    const place = breadcrumb(agent.location);
    return this.#inCode ? `${paint('code', `${place} code>`)} ` : `${paint('ai', `${place}>`)} `;
  }

  /** What a line asks for, with the lines that belong to it. */
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

  /** A question of several lines that were pasted is one question. */
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
    const { agent, hasModel, turns, typed, code } = this.#parts;
    switch (input.kind) {
      case 'nothing':
        return;
      case 'switch':
        this.#inCode = !this.#inCode;
        return this.#hint(this.#inCode ? CODE_MODE : 'lines are for the model and for tags again.');
      case 'mistake':
        return this.#hint(input.message);
      case 'tags':
        return this.#runCancellable(typed, (signal) => agent.run(asModelText(input.text), { signal }));
      case 'code':
        await this.#runCancellable(code, (signal) => agent.run(asModelText(input.text), { signal }));
        return input.hint !== undefined && this.#hasFailed ? this.#hint(input.hint) : undefined;
      case 'question':
        if (!hasModel) return this.#hint(WITHOUT_MODEL);
        return this.#runCancellable(turns, (signal) => agent.ask(input.text, { signal }));
    }
  }

  async #runCancellable(view: View, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { agent, debug, signal, terminal } = this.#parts;
    const running = new AbortController();
    this.#running = running;
    this.#view = view;
    try {
      await work(AbortSignal.any([signal, running.signal]));
    } catch (error) {
      if (signal.aborted) return;
      if (running.signal.aborted) this.#hint(`cancelled ai:${agent.label}`);
      else terminal.err.write(createPainter(terminal.err)('error', explainError(error, { debug })));
    } finally {
      this.#running = undefined;
    }
  }

  #hint(message: string): void {
    const { err } = this.#parts.terminal;
    err.write(`${createPainter(err)('hint', visibleLine(message))}\n`);
  }
}

async function needsMore(code: string): Promise<boolean> {
  const sandbox = await import('@bae/sandbox');
  return sandbox.needsMore(code);
}
