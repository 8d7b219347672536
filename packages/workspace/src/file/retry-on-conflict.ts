import { ConflictError } from '@bae/core';

/** Tries of a change of a file that somebody else touches all the time without changing it. */
const MOST_TRIES = 20;

/**
 * Plans a change and makes it; again from the start when the file changed in between, so that the plan decides
 * whether that matters.
 *
 * @param plan what it throws is final
 */
export async function retryOnConflict<P, T>(plan: () => Promise<P>, make: (planned: P) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const planned = await plan();
    try {
      return await make(planned);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MOST_TRIES) throw error;
    }
  }
}
