import { setTimeout as sleep } from 'node:timers/promises';
import type { BaeError } from '@bae/core';
import type { Session } from '@bae/client';
import type { Dispatcher } from '../ports.ts';
import { workOn, type LeaveSignals, type Workshop } from './work-on.ts';

interface SharedWorkOptions extends Workshop {
  /** Says why this process cannot work on a session: it does not have its folder. */
  readonly findObstacle: (session: Session) => BaeError | undefined;
  readonly dispatch: Dispatcher['dispatch'];
  /** Receives the obstacles, and unexpected errors. */
  readonly report: (error: unknown) => void;
  /** Time after which a session that no other worker took is worked on here, and fails, in milliseconds. */
  readonly offerMs?: number;
}

/** Default for `offerMs`. */
const OFFER_MS = 600_000;
/** Time between two offers, in milliseconds. */
const PAUSE_MS = 1000;
/** Time without an offer after which another worker must have taken the session, in milliseconds. */
const TAKEN_MS = 60_000;

/** Works on sessions from a queue that several workers share, and leaves those that it cannot work on to the others. */
export class SharedWork {
  readonly #options: SharedWorkOptions;
  /** Times at which sessions were first and last left to others, in milliseconds. */
  readonly #left = new Map<string, { readonly first: number; last: number }>();

  constructor(options: SharedWorkOptions) {
    this.#options = options;
  }

  /** Works on a session as `workOn` does. @throws unexpected errors, after reporting them */
  readonly work = async (id: string, signals: LeaveSignals): Promise<void> => {
    const { store, findObstacle, report } = this.#options;
    try {
      const session = await store.readSession(id);
      const obstacle = session && findObstacle(session);
      if (obstacle !== undefined && this.#isOffered(id, obstacle)) await this.#leave(id, signals);
      else await workOn(id, this.#options, signals);
    } catch (error) {
      report(error);
      throw error;
    }
  };

  #isOffered(id: string, obstacle: BaeError): boolean {
    const { report, offerMs = OFFER_MS } = this.#options;
    const now = performance.now();
    for (const [other, { last }] of this.#left) if (now - last > TAKEN_MS) this.#left.delete(other);
    const known = this.#left.get(id);
    this.#left.set(id, { first: known?.first ?? now, last: now });
    if (known === undefined) report(obstacle);
    return now - (known?.first ?? now) < offerMs;
  }

  async #leave(id: string, { leave, stop }: LeaveSignals): Promise<void> {
    const signal = AbortSignal.any([leave, stop]);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    await this.#options.dispatch(id);
  }
}
