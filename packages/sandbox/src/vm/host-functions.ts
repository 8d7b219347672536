/** What a promise has come to, which only the engine knows. */
export interface PromiseLook {
  readonly state: 'pending' | 'fulfilled' | 'rejected';
  readonly value?: unknown;
}

/** The only functions of the host inside the sandbox; they take and return numbers and JSON text. */
export interface HostFunctions {
  /** @param json a text, as JSON */
  readonly print: (json: string) => void;
  /** Passes a call on and returns its number; throws when there are too many. */
  readonly ask: (call: number, args: string) => number;
  /** Looks at a promise; undefined for anything else. */
  readonly look: (promise: object) => PromiseLook | undefined;
}
