import type { SpacePath } from '../protocol/space-path.ts';
import type { SessionLog, SessionRecord } from '../protocol/session-log.ts';

/** Writes down what a session needs to go on after a crash, in the order in which it happened. */
export class SessionRecorder {
  /** SHA-256 of what was shown, as tools see it; what they put in is written down with the next flush. */
  readonly seen: Map<string, string>;
  private waiting: SessionRecord[] = [];
  private location = '';

  /** @param seen what was shown before a restart */
  constructor(
    private readonly log: SessionLog | undefined,
    seen: ReadonlyMap<string, string> = new Map(),
  ) {
    this.seen = new ObservedMap(seen, (key, value) => this.waiting.push({ kind: 'seen', key, value }));
  }

  async record(record: SessionRecord): Promise<void> {
    await this.flush();
    await this.log?.record?.(record);
  }

  /** Writes down where the session stands, if that has changed. */
  async recordLocation(location: SpacePath, history: readonly SpacePath[]): Promise<void> {
    const now = JSON.stringify([location, history]);
    if (now === this.location) return;
    this.location = now;
    await this.record({ kind: 'location', location, history });
  }

  /** Writes down what tools have shown since the last time. */
  async flush(): Promise<void> {
    const records = this.waiting;
    this.waiting = [];
    for (const record of records) await this.log?.record?.(record);
  }
}

class ObservedMap extends Map<string, string> {
  private readonly observe: ((key: string, value: string) => void) | undefined;

  constructor(entries: Iterable<readonly [string, string]>, observe: (key: string, value: string) => void) {
    super(entries);
    this.observe = observe;
  }

  override set(key: string, value: string): this {
    // Undefined while the first entries are put in.
    this.observe?.(key, value);
    return super.set(key, value);
  }
}
