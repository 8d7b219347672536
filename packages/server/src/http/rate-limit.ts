import { ApiError } from './api-error.ts';

interface Bucket {
  left: number;
  /** Time at which `left` was correct, in milliseconds. */
  at: number;
}

/** Maximum number of remembered subjects; the one whose last request is oldest is forgotten first. */
const MOST_SUBJECTS = 10_000;

/** Allows each subject a number of requests per minute, which may also come all at once. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** @throws ApiError with the time to wait */
  take(subject: string): void {
    const bucket = this.#refill(subject);
    if (bucket.left < 1) {
      const retryAfter = ((1 - bucket.left) / this.#perMinute) * 60;
      throw new ApiError('too_many', `at most ${this.#perMinute} requests a minute are answered.`, { retryAfter });
    }
    bucket.left--;
  }

  #refill(subject: string): Bucket {
    const now = this.#now();
    const { left, at } = this.#buckets.get(subject) ?? { left: this.#perMinute, at: now };
    const bucket = { left: Math.min(this.#perMinute, left + ((now - at) / 60_000) * this.#perMinute), at: now };
    // Move the most recent subject to the end.
    this.#buckets.delete(subject);
    this.#buckets.set(subject, bucket);
    if (this.#buckets.size > MOST_SUBJECTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
