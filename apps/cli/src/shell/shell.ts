import { asModelText, type Agent } from '@bae/core';
import { breadcrumb } from '@bae/core/pipeline';
import { explainError } from '../explain-error.ts';
import { knownNames } from '../space-outline.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { View } from '../views/view.ts';
import { gatherBody } from './gather-body.ts';
import { gatherCode } from './gather-code.ts';
import { interpret, isCode, type ShellInput } from './interpret.ts';

/** What a shell is made of. */
export interface ShellParts {
  readonly agent: Agent;
  readonly source: LineSource;
  readonly terminal: Terminal;
  /** Shows turns of the model. */
  readonly turns: View;
  /** Shows what a person did. */
  readonly typed: View;
  /** Shows what code came to that a person typed. */
  readonly code: View;
  /** False when there is no model to ask. */
  readonly hasModel: boolean;
  readonly debug: boolean;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Reads lines and does what they say, until there are no more. */
export class Shell {
  private running: AbortController | undefined;
  private view: View;
  private inCode = false;
  /** True when the last run block failed. */
  private hasFailed = false;

  constructor(private readonly parts: ShellParts) {
    this.view = parts.typed;
    parts.agent.subscribe((event) => {
      if (event.type === 'run-end') this.hasFailed = !event.ok;
      this.view.handle(event);
    });
  }

  async run(): Promise<void> {
    const { source, signal } = this.parts;
    while (!signal.aborted) {
      const line = await source.next(this.prompt());
      if (line.kind !== 'line') return;
      if ((await this.obey(line.text)) === 'exit') return;
    }
  }

  /**
   * Cancels what is running; nothing happens when nothing is.
   *
   * @returns false when that was cancelled before and has not come to its end
   */
  cancel(): boolean {
    if (this.running?.signal.aborted === true) return false;
    this.running?.abort();
    return true;
  }

  private prompt(): string {
    const { agent, terminal } = this.parts;
    const paint = painterFor(terminal.out);
    const place = breadcrumb(agent.location);
    return this.inCode ? `${paint('code', `${place} code>`)} ` : `${paint('ai', `${place}>`)} `;
  }

  private async obey(line: string): Promise<'exit' | undefined> {
    const { agent, source } = this.parts;
    const { tree, location } = agent;
    const place = { tree, location, inCode: this.inCode };
    const isWritten = isCode(line, place);
    const isCommand = (other: string) => other.trim() !== '' && !isCode(other, place);
    const onGivenUp = (other: string) =>
      this.complain(`nothing was run of the code before ${other}: it had not ended.`);
    const text = await (isWritten
      ? gatherCode(line, source, { needsMore, isCommand, onGivenUp })
      : gatherBody(line, source, knownNames(tree)));
    if (text === undefined) return undefined;
    const input = await this.withPasted(interpret(text, place));
    if (input.kind === 'exit') return 'exit';
    await this.act(input);
    return undefined;
  }

  /** A question of several lines that were pasted is one question. */
  private async withPasted(input: ShellInput): Promise<ShellInput> {
    const { source } = this.parts;
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

  private async act(input: Exclude<ShellInput, { kind: 'exit' }>): Promise<void> {
    const { agent, hasModel, turns, typed, code } = this.parts;
    switch (input.kind) {
      case 'nothing':
        return;
      case 'switch':
        this.inCode = !this.inCode;
        return this.complain(this.inCode ? CODE_MODE : 'lines are for the model and for tags again.');
      case 'mistake':
        return this.complain(input.message);
      case 'tags':
        return this.cancellable(typed, (signal) => agent.run(asModelText(input.text), { signal }));
      case 'code':
        await this.cancellable(code, (signal) => agent.run(asModelText(input.text), { signal }));
        return input.hint !== undefined && this.hasFailed ? this.complain(input.hint) : undefined;
      case 'question':
        if (!hasModel) return this.complain(WITHOUT_MODEL);
        return this.cancellable(turns, (signal) => agent.ask(input.text, { signal }));
    }
  }

  private async cancellable(view: View, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { agent, debug, signal, terminal } = this.parts;
    const running = new AbortController();
    this.running = running;
    this.view = view;
    try {
      await work(AbortSignal.any([signal, running.signal]));
    } catch (error) {
      if (signal.aborted) return;
      if (running.signal.aborted) this.complain(`cancelled ai:${agent.label}`);
      else terminal.err.write(painterFor(terminal.err)('error', explainError(error, { debug })));
    } finally {
      this.running = undefined;
    }
  }

  private complain(message: string): void {
    const { err } = this.parts.terminal;
    err.write(`${painterFor(err)('hint', visibleLine(message))}\n`);
  }
}

const CODE_MODE =
  'lines are code now: TypeScript with the tools of the place. /code ends it, /help run lists what there is.';
const WITHOUT_MODEL =
  'There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.';

async function needsMore(code: string): Promise<boolean> {
  const sandbox = await import('@bae/sandbox');
  return sandbox.needsMore(code);
}
