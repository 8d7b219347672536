import { calledAlone } from './called-alone.ts';

/** Watches one run block, to tell whether there is anything to say of it besides its calls. */
export class WatchedCode {
  readonly #alone: readonly string[] | undefined;
  readonly #made: string[] = [];
  #failed = false;

  constructor(code: string) {
    this.#alone = calledAlone(code);
  }

  /** True when the code looks as if it only called tools. */
  get isOnlyCalls(): boolean {
    return this.#alone !== undefined;
  }

  /** @param tag of a call as code is quoted: `source.read("core")` */
  called(tag: string, ok: boolean): void {
    this.#made.push(tag.slice(0, tag.indexOf('(')).replaceAll('-', '_'));
    this.#failed ||= !ok;
  }

  /** True when its calls were all there was: a function of its own is no tool, and its value is to be shown. */
  isToldByCalls(ok: boolean): boolean {
    return this.#alone?.join() === this.#made.join() && (ok || this.#failed);
  }
}
