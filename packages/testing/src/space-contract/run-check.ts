import { quoteFirstLine, OpenSpace, type OpenOptions } from './open-space.ts';

/** Finding of a check: a problem and how to fix it, or the sample that is needed to try something. */
export type Finding = string | { readonly lacks: string };

/** Requirement of every resourcespace, with its check. */
export interface SpaceCheckSpec {
  /** Behaviour of the space, as the end of a sentence: `documents every parameter`. */
  readonly name: string;
  /** True for the check that the space can be opened at all. */
  readonly opens?: true;
  /**
   * Yields its findings, and undefined whenever it starts to examine another subject.
   *
   * @param openAnother opens one more space; all are disposed of when the check is over
   */
  look(open: OpenSpace, openAnother: () => Promise<OpenSpace>): AsyncIterable<Finding | undefined>;
}

/** Yields findings, and returns one that makes further checks pointless. */
export type Findings = Generator<Finding, Finding | void, void>;
export type AsyncFindings = AsyncGenerator<Finding, Finding | void, void>;

type ListSubjects<T> = (open: OpenSpace) => Iterable<T> | Promise<Iterable<T>>;
type Look<T> = (
  subject: T,
  open: OpenSpace,
  openAnother: () => Promise<OpenSpace>,
) => Findings | AsyncFindings | Promise<Finding | void>;

/** Defines a check that examines every subject of a list, and does not apply to a space without any. */
export function defineCheck<T>(name: string, list: ListSubjects<T>, look: Look<T>): SpaceCheckSpec {
  return {
    name,
    async *look(open, openAnother) {
      for (const subject of await list(open)) {
        yield undefined;
        const looking = look(subject, open, openAnother);
        const last = looking instanceof Promise ? await looking : yield* looking;
        if (last !== undefined) yield last;
      }
    },
  };
}

/** Returns a list as one subject, if it is not empty. */
export function asOneSubject<T>(list: readonly T[]): readonly (readonly T[])[] {
  return list.length === 0 ? [] : [list];
}

/** Outcome of a check that found no problems. */
export type CheckOutcome =
  | { readonly status: 'passed' }
  /** The space has nothing to which the check applies. */
  | { readonly status: 'not-applicable' }
  /** A sample is needed, which `add` describes. */
  | { readonly status: 'not-run'; readonly add: string }
  | { readonly status: 'skipped'; readonly reason: string }
  /** The space could not be opened; the first check gives the reason. */
  | { readonly status: 'not-opened' };

/** Error with the problems that a check found: one line each, with how to fix it. */
export class ConformanceError extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'));
    this.name = 'ConformanceError';
    this.complaints = complaints;
  }
}

/** Error for a space that could not be created, registered or entered. */
class CannotOpen extends Error {
  override readonly name = 'Error';
}

/** Options whose space could not be opened: other checks do not try again. */
const unopenable = new WeakSet<OpenOptions>();

/** Runs one check on new spaces, and disposes of them. @throws ConformanceError with all problems */
export async function runCheck(check: SpaceCheckSpec, options: OpenOptions): Promise<CheckOutcome> {
  const complaints = new Set<string>();
  const lacking = new Set<string>();
  const opened: OpenSpace[] = [];
  const open = async (): Promise<OpenSpace> => {
    if (unopenable.has(options) && check.opens !== true) throw new CannotOpen();
    const space = await OpenSpace.open(options).catch((error: unknown) => {
      unopenable.add(options);
      throw new CannotOpen(quoteError(error));
    });
    opened.push(space);
    return space;
  };
  let cannotOpen = false;
  let applies = false;
  const rejections = await collectUnhandledRejections(async () => {
    try {
      for await (const finding of check.look(await open(), open)) {
        applies = true;
        if (typeof finding === 'string') complaints.add(finding);
        else if (finding !== undefined) lacking.add(finding.lacks);
      }
    } catch (error) {
      if (error instanceof CannotOpen && check.opens !== true) cannotOpen = true;
      else complaints.add(quoteError(error));
    }
  });
  for (const reason of rejections)
    complaints.add(
      `a promise is rejected and nothing handles it: ${quoteError(reason)} Await it, or catch what it throws.`,
    );
  for (const space of opened) await space.close().catch((error: unknown) => complaints.add(quoteError(error)));
  if (complaints.size > 0) throw new ConformanceError([...complaints]);
  if (cannotOpen) return { status: 'not-opened' };
  if (lacking.size > 0) return { status: 'not-run', add: [...lacking].join('; ') };
  return { status: applies ? 'passed' : 'not-applicable' };
}

function quoteError(error: unknown): string {
  return quoteFirstLine(error instanceof Error && error.name === 'Error' ? error.message : String(error));
}

/** Does work and returns the reasons of promises that were rejected without a handler during it. */
async function collectUnhandledRejections(work: () => Promise<void>): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    // Node reports them only after all tasks that are ready have run.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return reasons;
}
