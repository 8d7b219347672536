import {
  type Change,
  inject,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import {
  type CommandLimits,
  explainLimits,
  findShell,
  getCommandLimits,
  getPlatform,
  type Platform,
  type RunningProgram,
  startProgram,
  toReadableOutput,
} from '@bae/project';
import { formatQuantity, nameFile, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FilesBefore, ProgramWatch } from './changed-files.ts';
import { askAboutFiles } from './used-files.ts';
import { renderCode, renderEnd, type RunEnd } from './run-report.ts';
import { type BackgroundCommand, BackgroundCommands, renderBackground } from './terminal/background-commands.ts';
import {
  type CommandRequest,
  listNamedPaths,
  listCommandWords,
  planCommand,
  type PlannedCommand,
  refuseChanged,
} from './terminal/plan-command.ts';

const LONGEST_S = 3600;
/** Longer than the time limit of any command, which applies first. */
const LIMIT_MS = (LONGEST_S + 60) * 1000;

const how = () => ({
  timeout: z.int().min(1).max(LONGEST_S).default(120).describe('Seconds after which it is stopped'),
  background: z.boolean().default(false).describe('Go on at once, with a number for tail and stop'),
  folder: z.string().default('').describe('Folder to run it in; default the root of the workspace'),
  network: z.boolean().default(false).describe('With the network of this machine, if commands have none'),
});

const id = () =>
  z
    .int()
    .min(1)
    .meta({ description: 'Number of a command in the background', examples: [1] });

const PARAMS = {
  exec: () =>
    z.object({
      command: z
        .string()
        .default('')
        .meta({ description: 'A program and its arguments', examples: ['git log --oneline -5'] }),
      ...how(),
      text: z
        .string()
        .optional()
        .meta({ description: 'The same with any characters, such as >', examples: [''] }),
    }),
  sh: () =>
    z.object({
      command: z
        .string()
        .default('')
        .meta({ description: 'What a shell runs', examples: ['ls | wc -l'] }),
      ...how(),
      text: z
        .string()
        .optional()
        .meta({ description: 'The same, of any length and with any characters', examples: [''] }),
    }),
  tail: () => z.object({ id: id() }),
  stop: () => z.object({ id: id() }),
} as const;

/** Settings of the tools that run a command. */
const RUNS = { body: 'text', effect: 'external', timeoutMs: LIMIT_MS, plan: true } as const;

type ArgsOf<T extends keyof typeof PARAMS> = z.output<ReturnType<(typeof PARAMS)[T]>>;
type Args = ArgsOf<'exec'>;

/** Said where commands have limits. */
const WRITABLE = 'They write in the workspace, and in a /tmp and home folder that end with the session';
const LOOPBACK = 'reach only servers of this session, unless network=true is given';

/** Said where the shell is not the one that models expect. */
const CMD = 'The shell of sh is cmd.exe: one line, its own syntax.';

/** Commands on this machine. Each needs consent unless a rule allows it. */
@resourcespace({
  name: 'terminal',
  description: 'Commands on this machine.',
  synonyms: ['shell', 'bash', 'process', 'program', 'python', 'pytest'],
})
export class TerminalSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #platform: Platform;
  readonly #background = new BackgroundCommands();
  /** Programs that calls wait for. */
  readonly #awaited = new Set<RunningProgram>();
  readonly #watch: ProgramWatch;
  readonly #limits: CommandLimits;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot, platform: Platform = getPlatform()) {
    this.#root = root;
    this.#limits = getCommandLimits(root);
    this.#platform = platform;
    this.#watch = new ProgramWatch(root, 'model');
  }

  async enter(): Promise<string> {
    const about = 'Programs get no input, and as environment only PATH, HOME, LANG, TERM and their like.';
    const shell = await findShell({ folder: this.#root.folder, platform: this.#platform });
    const limits = (await this.#limits.hold())
      ? [(await this.#limits.holdNetwork()) ? `${WRITABLE}, and ${LOOPBACK}.` : `${WRITABLE}.`]
      : [];
    const lines = [about, ...limits, ...(shell?.name === 'cmd' ? [CMD] : [])];
    return [...lines, ...this.#background.list().map(renderBackground)].join('\n');
  }

  status(): Readonly<Record<string, number>> {
    const running = this.#background.running.length;
    return running === 0 ? {} : { running };
  }

  running(): ReturnType<NonNullable<Resourcespace['running']>> {
    return this.#background.running.map(({ id, command, started, program }) => ({
      id: String(id),
      title: command,
      ms: performance.now() - started,
      stop: () => program.stop(),
    }));
  }

  @tool({
    description:
      "A program's output, its exit code, and the files it changed.\nThere is no shell: quotes are understood, and nothing else. Its own words in the form timeout=5 stand in quotes.",
    params: PARAMS.exec,
    ...RUNS,
    target(this: TerminalSpace, args) {
      return this.findTarget(args, false);
    },
  })
  exec(args: ArgsOf<'exec'>, context: ToolContext): Promise<Change> {
    return this.#plan(args, false, context);
  }

  @tool({
    description: 'The same in a shell: pipes, several commands.',
    params: PARAMS.sh,
    ...RUNS,
    target(this: TerminalSpace, args) {
      return this.findTarget(args, true);
    },
  })
  sh(args: ArgsOf<'sh'>, context: ToolContext): Promise<Change> {
    return this.#plan(args, true, context);
  }

  @tool({ description: 'What a command in the background has printed so far.', params: PARAMS.tail, effect: 'read' })
  async tail({ id: wanted }: ArgsOf<'tail'>): Promise<ToolOutput> {
    const command = this.#background.get(wanted);
    // What it changed is listed with its end.
    if (!command.program.isRunning) await command.over;
    const { end } = command;
    const hint = end === undefined ? 'running' : renderCode(end);
    const failed = end !== undefined && end.code !== 0;
    return { text: renderCommand(command), format: 'log', hint, failed };
  }

  @tool({ description: 'The end of a command in the background.', params: PARAMS.stop, plan: true })
  stop({ id: wanted }: ArgsOf<'stop'>): Change {
    const command = this.#background.get(wanted);
    return {
      touches: [],
      preview: () => `stops ${renderBackground(command)}`,
      apply: async () => {
        await command.program.stop();
        await command.over;
        return { text: renderCommand(command), format: 'log' };
      },
    };
  }

  /** Ends all programs that are still running, and records what they changed. */
  async dispose(): Promise<void> {
    await Promise.all([this.#background.stopAll(), ...[...this.#awaited].map((program) => program.stop())]);
    await this.#watch.settle();
    await this.#limits.close();
  }

  // Options of decorators cannot access #private members.
  private async findTarget(args: Args, isScript: boolean): Promise<string> {
    return (await planCommand(this.#root, await this.#readRequest(args, isScript), this.#platform)).target;
  }

  /** Where commands have the network anyway, asking for it makes no difference. */
  async #readRequest(args: Args, isScript: boolean): Promise<CommandRequest> {
    return { ...readRequest(args, isScript), network: args.network && (await this.#limits.holdNetwork()) };
  }

  async #plan(limits: Args, isScript: boolean, caller: ToolContext): Promise<Change> {
    const request = await this.#readRequest(limits, isScript);
    const planned = await planCommand(this.#root, request, this.#platform);
    for (const path of listNamedPaths(request, planned)) nameFile(this.#root, path, caller);
    const words = listCommandWords(request, planned);
    const named = { words, folder: request.folder, command: planned.target, isScript, reads: planned.reads };
    const files = await askAboutFiles(this.#root, named, caller);
    if (limits.background) this.#background.checkRoom();
    const until = limits.background ? 'in the background, until it is stopped' : `for at most ${limits.timeout} s`;
    return {
      touches: [...planned.touches, ...files],
      preview: () => `${planned.shown}\n${until}`,
      apply: async (context) => {
        await refuseChanged(planned, () => planCommand(this.#root, request, this.#platform));
        const command = { planned, request };
        return limits.background ? this.#begin(command, context) : this.#run(command, limits, context);
      },
    };
  }

  async #begin(command: Command, context: ToolContext): Promise<ToolOutput> {
    const { planned } = command;
    this.#background.checkRoom();
    const before = planned.reads ? undefined : await FilesBefore.look(this.#root, context, 'model');
    const listChanged = async () => (await before?.renderChanged()) ?? [];
    const program = await this.#start(command).catch(async (error: unknown) => {
      await listChanged();
      throw error;
    });
    const listLimits = (output: string) => this.#explain(command, output, context);
    const begun = this.#background.add(planned.shown.split('\n')[0]!, program, { listChanged, listLimits });
    const [tail, stop] = ['tail', 'stop'].map((name) => context.tag(`<${name}:${begun.id}>`));
    return { text: `${renderBackground(begun)}\nWhat it prints: ${tail}. Its end: ${stop}.` };
  }

  async #run(command: Command, { timeout }: Args, context: ToolContext): Promise<ToolOutput> {
    const { planned } = command;
    const work = () => this.#await(command, timeout, context);
    const { result, changed } = planned.reads
      ? { result: await work(), changed: [] }
      : await this.#watch.run(context, work);
    context.signal.throwIfAborted();
    const { end, isLate, program } = result;
    const why = isLate
      ? `: it took longer than ${timeout} s. More time: timeout=${Math.min(timeout * 5, LONGEST_S)}`
      : '';
    // What is wrong for this shell is explained by its name.
    const by = planned.shell === 'cmd' ? ', run by cmd.exe' : '';
    const limits = end.code === 0 || isLate ? [] : await this.#explain(command, program.output, context);
    const lines = [`${renderEnd(end)}${by}${why}`, ...limits, ...readOutput(program), ...changed];
    return { text: joinLines(lines), format: 'log', hint: renderCode(end), failed: end.code !== 0 };
  }

  /** Runs a command to its end, its time limit, or the end of the call. */
  async #await(command: Command, timeout: number, { signal, output }: ToolContext) {
    const started = performance.now();
    const program = await this.#start(command, output);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void program.stop();
    }, timeout * 1000);
    const abort = (): void => void program.stop();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    this.#awaited.add(program);
    const { code } = await program.ended;
    this.#awaited.delete(program);
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
    const end: RunEnd = { code, seconds: (performance.now() - started) / 1000 };
    return { end, isLate, program };
  }

  /** Says which limits a failed command may have met. */
  async #explain({ request }: Command, output: string, { tag }: Pick<ToolContext, 'tag'>) {
    if (!(await this.#limits.hold())) return [];
    const hasNetwork = request.network === true || !(await this.#limits.holdNetwork());
    const place = request.folder === '' ? '' : ` folder=${request.folder}`;
    const isSimple = !/[<>\n=]/.test(request.text) && !/\s/.test(request.folder);
    const call = `<${request.isScript ? 'sh' : 'exec'}:${isSimple ? request.text : '…'}${place} network=true>`;
    return explainLimits({ output: toReadableOutput(output), hasNetwork, withNetwork: tag(call) });
  }

  #start({ planned: { launch, folder }, request }: Command, onOutput?: ToolContext['output']): Promise<RunningProgram> {
    return startProgram({
      command: launch,
      folder,
      project: this.#root.folder,
      platform: this.#platform,
      inherits: 'basics',
      mergesErrors: true,
      onOutput,
      limits: this.#limits,
      network: request.network,
    });
  }
}

/** A command that is ready to run, with what was asked for. */
interface Command {
  readonly planned: PlannedCommand;
  readonly request: CommandRequest;
}

function readRequest({ command, text = '', folder }: ArgsOf<'exec'>, isScript: boolean): CommandRequest {
  const parts = [command, text].filter((part) => part.trim() !== '');
  return { text: parts.join(isScript ? '\n' : ' ').trim(), isScript, folder };
}

function readOutput({ output, dropped }: RunningProgram): readonly string[] {
  const lost = dropped === 0 ? [] : [`(${formatQuantity(dropped, 'character')} before this are not kept)`];
  return [...lost, toReadableOutput(output)];
}

function renderCommand(command: BackgroundCommand): string {
  const { limits, program, changed } = command;
  return joinLines([renderBackground(command), ...limits, ...readOutput(program), ...changed]);
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n');
}
