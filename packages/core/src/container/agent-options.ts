import type { OwnParts } from '../agent/agent.ts';
import { checkHooks, type Hook } from '../agent/hooks.ts';
import type { SpendingLimits, TurnLimits } from '../agent/turn.ts';
import { ConfigurationError } from '../errors/bae-error.ts';
import type { Approver, Confine, Draft, FileRule } from '../protocol/approver.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import type { Model } from '../protocol/model.ts';
import type { FindLines, Pruner } from '../protocol/tool-result.ts';
import type { AskPerson } from '../protocol/tool-definition.ts';
import type { SpaceSource } from '../protocol/resourcespace.ts';

/** Minimum cap that leaves room for a result besides the line that reports what was removed, in tokens. */
const SMALLEST_CAP = 50;

/** Value that constructors can request with `@inject(token)`. */
export interface Provision {
  readonly token: symbol | string;
  readonly value: unknown;
  /**
   * Creates a draft that holds changes of the value's files, so that consent to all changes of a run block is requested
   * once. Default: each change is made immediately.
   */
  readonly createDraft?: () => Draft;
  /** Applies the approver's rules about files to the value, before any space is created. Default: it has no files. */
  readonly restrict?: (rules: readonly FileRule[]) => void;
  /**
   * Runs work that may change only these files of the value, by their paths, and everything that it starts. Every call
   * runs in it with the files that its change named, everything else that spaces do without any. Default: it has no
   * files.
   */
  readonly confine?: Confine;
  /** Searches kept results. Default: only `|` and `.*` have a meaning in their patterns. */
  readonly findLines?: FindLines;
}

/** Confines work for all values at once. */
export function joinConfines(provide: readonly Provision[] = []): Confine {
  const [first = runAsItIs, ...others] = provide.flatMap(({ confine }) => confine ?? []);
  return others.reduce<Confine>((outer, confine) => (paths, work) => outer(paths, () => confine(paths, work)), first);
}

const runAsItIs: Confine = (_, work) => work();

type LimitOptions = { readonly [Name in keyof Omit<TurnLimits, 'spending'>]?: TurnLimits[Name] | undefined };

/** Options of an agent. All of them are optional. */
export interface AgentOptions extends OwnParts, LimitOptions, SpendingLimits {
  /** Language model. Without one, `run()` still executes tags; `ask()` rejects with a ConfigurationError. */
  readonly model?: Model | undefined;
  /** Spaces below home: each a decorated class, an instance, or a `defineResourcespace()` result. */
  readonly spaces?: readonly SpaceSource[] | undefined;
  /** Names of the spaces to include; the others are left out. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Space whose tools act at home. Default: a home without tools. */
  readonly home?: SpaceSource | undefined;
  /** Values for the constructors of spaces. */
  readonly provide?: readonly Provision[] | undefined;
  /** Decides about calls that change something. Default: everything except reading is refused. */
  readonly approver?: Approver | undefined;
  /** Asks a person on behalf of tools. Default: nobody is available, so that the tool gets an error. */
  readonly askPerson?: AskPerson | undefined;
  /**
   * Hooks, called in this order: they refuse or narrow calls, or add text. The list is read for each call, so that an
   * app can replace hooks; only those of the start receive events. Default: none.
   */
  readonly hooks?: readonly Hook[] | undefined;
  /** Executes run blocks. Default: none, so that run blocks result in an error. */
  readonly codeRunner?: CodeRunner | undefined;
  readonly pruner?: Pruner | undefined;
  /** Maximum length of a result, in tokens. Default: 500. */
  readonly cap?: number | undefined;
  /** Text that is put before the first prompt of a conversation; a resumed conversation already contains it. */
  readonly context?: string | undefined;
  /** Text that is appended to the system prompt. */
  readonly instructions?: string | undefined;
  /** Name of the session in events. Default: `1`. */
  readonly label?: string | undefined;
  /** Clock, timers and randomness. Default: those of the platform. */
  readonly host?: Host | undefined;
}

const BOUNDS = [
  { name: 'cap', min: SMALLEST_CAP, what: 'tokens of one result' },
  { name: 'maxBatches', min: 0, what: 'batches of calls in one turn, 0 for no limit' },
  { name: 'firstTokenMs', min: 1, what: 'milliseconds until the model begins its response' },
  { name: 'idleMs', min: 1, what: 'milliseconds that the model may be silent' },
  { name: 'contextTokens', min: 1000, what: 'tokens that the model can take in at once' },
  { name: 'maxTokens', min: 1, what: 'tokens of one turn' },
  { name: 'maxCalls', min: 1, what: 'calls and run blocks of one turn' },
  { name: 'tries', min: 1, what: 'tries of one request to the model' },
  { name: 'deadlineMs', min: 1, what: 'milliseconds of one request to the model with all its tries' },
] as const;

/** @throws ConfigurationError for a number that is out of bounds, or an invalid label */
export function checkAgentOptions(options: AgentOptions): void {
  for (const { name, min, what } of BOUNDS) {
    const value = options[name];
    if (value === undefined || (Number.isInteger(value) && value >= min)) continue;
    throw new ConfigurationError(
      `${name}: expected a whole number of at least ${min} (${what}); got ${JSON.stringify(value)}.`,
    );
  }
  for (const name of ['maxCost', 'maxMinutes'] as const) {
    const value = options[name];
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    throw new ConfigurationError(`${name}: expected a number above 0; got ${JSON.stringify(value)}.`);
  }
  if (options.maxCost !== undefined && (options.prices ?? options.model?.prices) === undefined) {
    throw new ConfigurationError('maxCost: no prices are known for this model.', ['prices: { input: 3, output: 15 }']);
  }
  checkLabel(options.label);
  checkHooks(options.hooks);
}

/** @throws ConfigurationError for a session name with characters other than letters, digits, _ and - */
export function checkLabel(label: string | undefined): void {
  if (label === undefined || /^[A-Za-z0-9_-]+$/.test(label)) return;
  throw new ConfigurationError(`label: expected letters, digits, _ and -; got ${JSON.stringify(label)}.`);
}
