import { asModelText, type Agent, type AgentEvent } from '@bae/core';
import { formatBreadcrumb } from '@bae/core/pipeline';
import type { ModelChoice } from '@bae/models';
import type { CommandContext } from '../command-line/command.ts';
import { explainError, UsageError } from '../command-line/errors.ts';
import { CARRY_OUT, hasPlan, PLAN_REQUEST, type Mode } from '../consent/modes.ts';
import type { SessionParts } from '../kept-session.ts';
import { collectNames } from '../space-outline.ts';
import { wrapWords } from '../terminal/live-area.ts';
import { createPainter, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { renderCancelled, ViewSwitch, type Cause } from '../views/view-switch.ts';
import { attachFiles, type AskedText } from './attach-files.ts';
import type { ListFolder } from './complete-line.ts';
import { gatherBody, gatherCode, gatherQuestion, needsMore } from './gather-lines.ts';
import { listTypable } from './help-text.ts';
import { actOnWork, RUNNING } from '../running/running-menu.ts';
import { limitPerTurn, RunningWork } from '../running/running-work.ts';
import type { ShellCommands, ShellControl } from './shell-commands.ts';
import { interpret, isCode } from './interpret.ts';
import { resolveCommandFolder, type ShellInput, type ShellPlace } from './shell-input.ts';
import type { ShellIo } from './shell-io.ts';
import { addToPrompt } from '../views/read-prose.ts';

export interface ShellParts {
  readonly context: CommandContext;
  readonly agent: Agent;
  readonly choice: ModelChoice;
  readonly io: Pick<ShellIo, 'source' | 'print' | 'redraw' | 'askAboutPlan' | 'queue' | 'openMenu'>;
  /** Current state of consent, which decides about calls that need it. */
  readonly consent?: Consent | undefined;
  /** Opens the storage of a further session. Default: in memory. */
  readonly openSession?: ((label: string) => Promise<SessionParts>) | undefined;
  /** Returns the commands that can be typed after a slash. Default: none. */
  readonly commands?: (() => ShellCommands) | undefined;
  /** Lists folders of the workspace, so that files can be attached. Default: no files. */
  readonly listFolder?: ListFolder | undefined;
  /** Reads files of the workspace that are attached unchanged. Default: none can be attached. */
  readonly readBytes?: ((path: string) => Promise<Uint8Array | undefined>) | undefined;
  /** Returns true if the current model sees images. Default: it does not. */
  readonly seesImages?: (() => boolean) | undefined;
  /** Receives every event of the current session. */
  readonly onEvent?: ((event: AgentEvent) => void | Promise<void>) | undefined;
  /** Receives each further session when it begins. */
  readonly onSession?: ((agent: Agent) => void) | undefined;
  /** Receives the shell before the first line is read. */
  readonly onStart?: ((shell: ShellControl) => void | Promise<void>) | undefined;
  /** Tags that are executed before the first line is read. */
  readonly first?: string | undefined;
}

/** State that decides about calls that need consent, in addition to rules and answers. */
export interface Consent {
  mode: Mode;
  /** True while the person's own typed input is running; typing it was consent. */
  isTyped: boolean;
}

/** Maximum size of a result of what a person typed, in tokens. */
const WHOLE = 100_000;

const CODE_MODE =
  'lines are code now: TypeScript with the tools of the place. /code ends it, /help run lists what there is.';
const WITHOUT_MODEL =
  'There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.';

/** Reads and executes lines until the input ends or the process is asked to stop. Closes the source and the agents. */
export async function runShellLoop(parts: ShellParts): Promise<void> {
  await new Shell(parts).run();
}

/** Session of a person at a keyboard or a pipe. */
class Shell implements ShellControl {
  readonly views: ViewSwitch;
  readonly #parts: ShellParts;
  readonly #paint: Painter;
  readonly #consent: Consent;
  readonly #commands: () => ShellCommands;
  readonly #letKeysThrough: () => Promise<void> | undefined;
  /** Sessions by label, including the current one. */
  readonly #sessions = new Map<string, Agent>();
  readonly #opened = new Set<Agent>();
  readonly #work: RunningWork;
  #agent: Agent;
  #unsubscribe = (): void => undefined;
  #cause: Cause = 'tags';
  #running: AbortController | undefined;
  #inCode = false;
  #folder = '';
  /** Whole results for a person; a pipe gets what a model would get. */
  readonly #limit: { readonly cap?: number };
  /** True if the last run block failed. */
  #hasFailed = false;
  /** True if every line of the current input was typed. */
  #isTyped = false;

  constructor(parts: ShellParts) {
    const { context, agent, consent = { mode: 'ask', isTyped: false }, commands = () => ({}) } = parts;
    const { options, terminal } = context;
    this.#parts = parts;
    this.#paint = createPainter(terminal.out);
    this.#consent = consent;
    this.#commands = () => ({ tasks: RUNNING, ...commands() });
    this.#work = new RunningWork(this.#opened, parts.io.queue);
    this.#agent = agent;
    this.views = new ViewSwitch({ options, terminal, tree: agent.tree });
    this.#limit = terminal.interactive ? { cap: WHOLE } : {};
    this.#letKeysThrough = terminal.interactive ? limitPerTurn() : () => undefined;
    this.use(agent);
  }

  get agent(): Agent {
    return this.#agent;
  }

  get inCode(): boolean {
    return this.#inCode;
  }

  get labels(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  get mode(): Mode {
    return this.#consent.mode;
  }

  set mode(mode: Mode) {
    this.#consent.mode = mode;
  }

  /** Returns the prompt: the session unless it is the first, the mode unless it is `ask`, and the place. */
  readonly prompt = (): string => {
    const { label, location } = this.#agent;
    const place = formatBreadcrumb(location);
    const session = label === '1' ? '' : `@${label} `;
    const mode = this.mode === 'ask' ? '' : `${this.mode} `;
    const [paint, end] = this.#inCode ? (['code', ' code>'] as const) : (['ai', '>'] as const);
    return `${this.#paint('quiet', session)}${this.#paint('hint', mode)}${this.#paint(paint, `${place}${end}`)} `;
  };

  use(agent: Agent): void {
    this.#unsubscribe();
    this.#agent = agent;
    if (agent !== this.#parts.agent && !this.#opened.has(agent)) this.#parts.onSession?.(agent);
    this.#opened.add(agent);
    this.#sessions.set(agent.label, agent);
    this.#unsubscribe = agent.subscribe((event) => {
      if (event.type === 'run-end') this.#hasFailed = !event.ok;
      this.#work.follow(agent, event);
      // The view comes first, because a status line would delay it.
      const shown = this.views.showEvent(event, this.#cause);
      const told = this.#parts.onEvent?.(event);
      return Promise.all([shown, told, this.#letKeysThrough()]).then(() => undefined);
    });
  }

  readonly hint = (message: string): void => {
    const { err } = this.#parts.context.terminal;
    const text = makeLineVisible(message);
    const lines = err.isTerminal ? wrapWords(text, err.columns() - 1) : [text];
    err.write(`${lines.map((line) => createPainter(err)('hint', line)).join('\n')}\n`);
  };

  readonly redraw = async (): Promise<void> => {
    const { terminal } = this.#parts.context;
    // Read first: what happens meanwhile may change it.
    const what = this.views.isWhole ? ', the last results whole (Ctrl-O: back)' : '';
    const head = this.#paint('quiet', `view: ${this.views.current}${what}`);
    const text = await this.views.render(Math.max(1, terminal.out.rows() - 4));
    this.#parts.io.redraw(`${head}\n${text === '' ? '' : `${text}\n`}`);
  };

  toggleWhole(): void {
    if (this.views.toggleWhole()) void this.redraw();
    else this.#parts.io.print('nothing has been called yet.');
  }

  ask(question: string, origin?: 'others' | 'summary'): Promise<string | undefined> {
    return this.#ask(question, origin);
  }

  /**
   * @param origin who wrote it: the person at the prompt, perhaps with absolute paths of images; others, such as a
   *   server; or bae, for a summary, which is never taken for a plan
   */
  async #ask(question: string, origin?: 'typed' | 'others' | 'summary'): Promise<string | undefined> {
    if (this.#parts.choice.model === undefined) {
      this.hint(WITHOUT_MODEL);
      return undefined;
    }
    const [isPlanning, isTyped] = [this.mode === 'plan' && origin !== 'summary', origin === 'typed'];
    const answer = await this.#runCancellable(
      'turn',
      async (signal) => {
        const { listFolder, readBytes = async () => undefined, seesImages = () => false } = this.#parts;
        const source = { agent: this.#agent, readBytes, signal, isTyped, seesImages: seesImages() };
        const { text, attachments, quoted, notes }: AskedText = listFolder
          ? await attachFiles(question, { ...source, listFolder })
          : { text: question, attachments: [], quoted: [], notes: [] };
        for (const note of notes) this.hint(note);
        const asked = addToPrompt(text, isPlanning ? PLAN_REQUEST : '');
        const others = origin === 'others' ? [question, ...quoted] : quoted;
        return this.#agent.ask(asked, { signal, attachments, quoted: others });
      },
      question,
    );
    if (!isPlanning || answer === undefined || !hasPlan(answer)) return answer;
    const mode = await this.#runCancellable('turn', async (signal) => this.#parts.io.askAboutPlan?.(signal));
    if (mode === undefined) return answer;
    this.mode = mode;
    return this.#ask(CARRY_OUT);
  }

  async run(): Promise<void> {
    const { io, first, context, onStart } = this.#parts;
    const { source } = io;
    const { signal } = context;
    source.onInterrupt = (isEscape = false) => {
      // A second Ctrl-C, sent before the cancelled work has ended, stops the whole process.
      if (this.#running?.signal.aborted !== true) this.#running?.abort();
      else if (!isEscape) process.kill(process.pid, 'SIGINT');
    };
    source.isContinued = (text) => !isCode(text, this.#place);
    source.onAhead = (text) => /^\/tasks\b/.test(text.trim()) && this.#actOnWork(text.trim().split(/\s+/).slice(1));
    // Ends a pending read.
    signal.addEventListener('abort', () => source.close(), { once: true });
    await onStart?.(this);
    try {
      if (first !== undefined) await this.#agent.run(asModelText(first), { signal });
      await this.#readLines();
    } finally {
      source.close();
      for (const agent of this.#opened) await agent.close();
    }
  }

  async #readLines(): Promise<void> {
    const { io, context } = this.#parts;
    while (!context.signal.aborted) {
      const { untyped } = io.source;
      const line = await io.source.next(this.prompt);
      if (line.kind === 'end' || (line.kind === 'interrupt' && line.isRepeated)) return;
      if (line.kind === 'interrupt') {
        this.hint('Ctrl-C again, or Ctrl-D, leaves.');
        continue;
      }
      const input = await this.#interpret(line.text);
      this.#isTyped = context.terminal.interactive && io.source.untyped === untyped;
      if (input.kind === 'exit') return;
      await this.#execute(input);
    }
  }

  get #place(): ShellPlace {
    const { tree, location } = this.#agent;
    const commands = Object.entries(this.#commands());
    return {
      tree,
      location,
      inCode: this.#inCode,
      folder: this.#folder,
      commands: commands.map(([name]) => name),
      sharedCommands: commands.flatMap(([name, { group }]) => (group === 'this folder' ? [name] : [])),
      labels: this.labels,
    };
  }

  /** Reads the further lines that belong to a line, and interprets them together. */
  async #interpret(line: string): Promise<ShellInput> {
    const { source } = this.#parts.io;
    const place = this.#place;
    const isCommand = (other: string) => other.trim() !== '' && !isCode(other, place);
    const onGivenUp = (other: string) => this.hint(`the code before ${other} was not run: it is incomplete.`);
    const text = await (isCode(line, place)
      ? gatherCode(line, source, { needsMore, isCommand, onGivenUp })
      : gatherBody(line, source, collectNames(place.tree)));
    const input: ShellInput = text === undefined ? { kind: 'nothing' } : interpret(text, place);
    if (input.kind !== 'question') return input;
    const question = await gatherQuestion(input.text, source);
    return question === undefined ? { kind: 'nothing' } : { kind: 'question', text: question };
  }

  async #execute(input: ShellInput): Promise<void> {
    const { terminal } = this.#parts.context;
    switch (input.kind) {
      case 'switch':
        this.#inCode = !this.#inCode;
        return this.hint(this.#inCode ? CODE_MODE : 'lines are for the model and for tags again.');
      case 'mistake':
        return this.hint(input.text);
      case 'folder':
        return this.#enterFolder(input.path);
      case 'several':
        for (const one of input.inputs) await this.#execute(one);
        return;
      case 'tags':
        await this.#runWritten('tags', input.text);
        return;
      case 'code':
        await this.#runWritten('code', input.text);
        return input.hint !== undefined && this.#hasFailed ? this.hint(input.hint) : undefined;
      case 'command':
        if (input.name === '?')
          return terminal.out.write(`${listTypable(this.#agent, this.#commands(), terminal.out)}\n`);
        if (input.name === 'tasks') {
          if (this.#actOnWork(input.words)) return;
          if (input.words.length === 0) this.hint('nothing runs now.');
        }
        await this.#runCancellable(
          'tags',
          () => this.#commands()[input.name]!.run(input.words, this),
          `/${input.name}`,
        );
        return;
      case 'session':
        this.use(this.#sessions.get(input.label) ?? (await this.#beginSession(input.label)));
        if (input.text === '')
          return this.hint(`session ${input.label}${input.label === '1' ? '' : '; @1 goes back to the first'}.`);
        await this.#ask(input.text, 'typed');
        return;
      case 'question':
        await this.#ask(input.text, 'typed');
        return;
      default:
    }
  }

  /** Chooses the folder in which commands of this machine run. */
  async #enterFolder(typed: string): Promise<void> {
    const { listFolder = async () => [] } = this.#parts;
    const path = await resolveCommandFolder(typed, { folder: this.#folder, listFolder });
    if (path === undefined) return this.hint(`${typed} is no folder of this project, in which commands run.`);
    this.#folder = path;
    this.hint(path === '' ? 'commands run in the folder of the project.' : `commands run in ${path}; !cd goes back.`);
  }

  async #beginSession(label: string): Promise<Agent> {
    return this.#agent.session(label, await this.#parts.openSession?.(label));
  }

  /** Runs the input from the prompt. A typed line is consent to its effects. */
  async #runWritten(cause: Cause, text: string): Promise<void> {
    const isTyped = this.#isTyped;
    this.#consent.isTyped = isTyped;
    try {
      await this.#runCancellable(
        cause,
        (signal) => this.#agent.run(asModelText(text), { signal, isTyped, ...this.#limit }),
        text,
      );
    } finally {
      this.#consent.isTyped = false;
    }
  }

  /** Acts on `/tasks` about what runs now, even while it runs. Returns false if the command is about other tasks. */
  #actOnWork(words: readonly string[]): boolean {
    const { io, context } = this.#parts;
    const { out } = context.terminal;
    const print = (line: string) => io.print(createPainter(out)('hint', makeLineVisible(line)));
    return actOnWork(words, this.#work, { columns: out.columns, rows: out.rows, print, openMenu: io.openMenu });
  }

  /**
   * Does work that Ctrl-C cancels. Resolves to undefined if it was cancelled or failed, which is reported in a line.
   *
   * @param title name of the work in the list of what runs. Default: it is part of other work, or a question
   */
  async #runCancellable<T>(
    cause: Cause,
    work: (signal: AbortSignal) => Promise<T>,
    title?: string,
  ): Promise<T | undefined> {
    const { signal, options, terminal } = this.#parts.context;
    // A command may ask the model; both are then cancelled together.
    const outer = this.#running;
    const current = outer ?? new AbortController();
    this.#running = current;
    this.#cause = cause;
    const isListed = title !== undefined && outer === undefined;
    const end = isListed ? this.#work.begin(this.#agent, title, () => current.abort()) : undefined;
    try {
      return await work(AbortSignal.any([signal, current.signal]));
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof UsageError) this.hint(error.message);
      else if (current.signal.aborted) this.hint(renderCancelled(this.#agent));
      else terminal.err.write(createPainter(terminal.err)('error', explainError(error, options)));
      return undefined;
    } finally {
      this.#running = outer;
      end?.();
    }
  }
}
