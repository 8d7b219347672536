import { firstLine } from './first-line.ts';
import { Findings } from './findings.ts';
import { OpenSpace, type OpenOptions } from './open-space.ts';
import type { SpaceCheckSpec } from './space-check.ts';
import { unheardRejections } from './unheard-rejections.ts';

/** What became of one check that found nothing wrong. */
export type CheckOutcome =
  | { readonly status: 'passed' }
  /** There is nothing of that kind in the space. */
  | { readonly status: 'not-applicable' }
  /** A sample is needed: which one. */
  | { readonly status: 'not-run'; readonly add: string }
  | { readonly status: 'skipped'; readonly reason: string }
  /** The space could not be opened; the first check says why. */
  | { readonly status: 'not-opened' };

/** What a check found wrong: a line each, with how to mend it. */
export class ConformanceError extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'));
    this.name = 'ConformanceError';
    this.complaints = complaints;
  }
}

/** The space could not be made, registered or entered. */
class CannotOpen extends Error {
  override readonly name = 'Error';
}

/** What could not be opened once is not tried again by every check. */
const unopenable = new WeakSet<OpenOptions>();

const HEAR = 'Wait for it, or catch what it throws.';

/**
 * Runs one check on new spaces, and disposes of them.
 *
 * @throws ConformanceError with everything that is wrong
 */
export async function runCheck(check: SpaceCheckSpec, options: OpenOptions): Promise<CheckOutcome> {
  const findings = new Findings();
  const opened: OpenSpace[] = [];
  const open = async (): Promise<OpenSpace> => {
    if (unopenable.has(options) && check.opens !== true) throw new CannotOpen();
    const space = await OpenSpace.open(options).catch((error: unknown) => {
      unopenable.add(options);
      throw new CannotOpen(inWords(error));
    });
    opened.push(space);
    return space;
  };
  let cannotOpen = false;
  const unheard = await unheardRejections(async () => {
    try {
      await check.look({ open }, findings);
    } catch (error) {
      if (error instanceof CannotOpen && check.opens !== true) cannotOpen = true;
      else findings.expect(false, inWords(error));
    }
  });
  for (const reason of unheard)
    findings.expect(false, `a promise fails and nobody hears it: ${inWords(reason)} ${HEAR}`);
  for (const space of opened) await space.close().catch((error: unknown) => findings.expect(false, inWords(error)));
  const { complaints, lacking, looked } = findings;
  if (complaints.length > 0) throw new ConformanceError(complaints);
  if (cannotOpen) return { status: 'not-opened' };
  if (lacking.length > 0) return { status: 'not-run', add: lacking.join('; ') };
  return { status: looked ? 'passed' : 'not-applicable' };
}

function inWords(error: unknown): string {
  const text = error instanceof Error && error.name === 'Error' ? error.message : String(error);
  return firstLine(text);
}
