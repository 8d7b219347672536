import { OpenSpace, type OpenOptions } from './open-space.ts';
import { quoteError } from './quote.ts';

/** One requirement of every resourcespace, and how to check it. */
export interface SpaceCheckSpec {
  /** What the space does, as the end of a sentence: `documents every parameter`. */
  readonly name: string;
  /** True for the check that the space can be opened at all. */
  readonly opens?: true;
  /** @param openAnother opens one more space; all are disposed of when the check is over */
  look(space: OpenSpace, findings: Findings, openAnother: () => Promise<OpenSpace>): void | Promise<void>;
}

/** The outcome of one check that found nothing wrong. */
export type CheckOutcome =
  | { readonly status: 'passed' }
  /** The space has nothing that the check is about. */
  | { readonly status: 'not-applicable' }
  /** A sample is needed: which one. */
  | { readonly status: 'not-run'; readonly add: string }
  | { readonly status: 'skipped'; readonly reason: string }
  /** The space could not be opened; the first check says why. */
  | { readonly status: 'not-opened' };

/** What a check found wrong: a line each, with how to fix it. */
export class ConformanceError extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'));
    this.name = 'ConformanceError';
    this.complaints = complaints;
  }
}

/** Collects what one check finds: what is wrong, and what it could not try without a sample. */
export class Findings {
  readonly complaints: string[] = [];
  readonly lacking: string[] = [];
  #hasLooked = false;

  get hasLooked(): boolean {
    return this.#hasLooked || this.complaints.length > 0;
  }

  /** Adds a complaint when a claim does not hold. Returns whether it holds. */
  expect(holds: boolean, complaint: string): boolean {
    this.#hasLooked = true;
    if (!holds && !this.complaints.includes(complaint)) this.complaints.push(complaint);
    return holds;
  }

  lack(sample: string): void {
    if (!this.lacking.includes(sample)) this.lacking.push(sample);
  }
}

/** The space could not be made, registered or entered. */
class CannotOpen extends Error {
  override readonly name = 'Error';
}

/** Options whose space could not be opened: other checks do not try again. */
const unopenable = new WeakSet<OpenOptions>();

/** Runs one check on new spaces, and disposes of them. @throws ConformanceError with everything that is wrong */
export async function runCheck(check: SpaceCheckSpec, options: OpenOptions): Promise<CheckOutcome> {
  const findings = new Findings();
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
  const rejections = await collectUnhandledRejections(async () => {
    try {
      await check.look(await open(), findings, open);
    } catch (error) {
      if (error instanceof CannotOpen && check.opens !== true) cannotOpen = true;
      else findings.expect(false, quoteError(error));
    }
  });
  for (const reason of rejections)
    findings.expect(
      false,
      `a promise is rejected and nothing handles it: ${quoteError(reason)} Await it, or catch what it throws.`,
    );
  for (const space of opened) await space.close().catch((error: unknown) => findings.expect(false, quoteError(error)));
  const { complaints, lacking, hasLooked } = findings;
  if (complaints.length > 0) throw new ConformanceError(complaints);
  if (cannotOpen) return { status: 'not-opened' };
  if (lacking.length > 0) return { status: 'not-run', add: lacking.join('; ') };
  return { status: hasLooked ? 'passed' : 'not-applicable' };
}

/** Does work and returns the reasons of promises that were rejected meanwhile without a handler. */
async function collectUnhandledRejections(work: () => Promise<void>): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const note = (reason: unknown): void => void reasons.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    // Node reports them only after everything that is ready has run.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return reasons;
}
