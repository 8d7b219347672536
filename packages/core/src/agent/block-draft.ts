import { ApprovalError } from '../errors/bae-error.ts';
import type { ApprovalRequest, Approver, CallDraft, Confine, Draft, DraftChange } from '../protocol/approver.ts';
import type { SessionState } from '../protocol/tool-definition.ts';
import type { DispatchOptions } from '../tool-router/tool-router.ts';
import { untilAborted } from '../tool-router/abort.ts';

interface BlockDraftParts {
  readonly approver: Approver;
  readonly createDraft: () => Draft;
  readonly confine: Confine;
  readonly session: SessionState;
  readonly signal: AbortSignal;
  /** Returns the current dotted place of the session. */
  readonly getSpace: () => string;
}

type PauseDuring = NonNullable<DispatchOptions['pauseDuring']>;

/**
 * Changes of a run block for which nobody has been asked for consent yet. The draft begins with the first change that
 * needs a question; from then on it includes every change of the block, and the block's calls see the files as changed.
 */
export class BlockDraft implements CallDraft {
  /** Changes that were made in the draft but never written. */
  readonly lost = new Set<ApprovalRequest>();
  readonly #parts: BlockDraftParts;
  #draft: Draft | undefined;
  #requests: ApprovalRequest[] = [];
  /** Resources that the session had seen before the draft began. */
  #seen: ReadonlyMap<string, string> = new Map();

  constructor(parts: BlockDraftParts) {
    this.#parts = parts;
  }

  /** Last collected change, if it is not settled yet. */
  get last(): ApprovalRequest | undefined {
    return this.#requests.at(-1);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#draft?.run(work) ?? work();
  }

  takes(request: ApprovalRequest): boolean {
    const decided = this.#parts.approver.decide!(request);
    return decided === undefined || (decided.allow && this.#draft !== undefined);
  }

  async add<T>(request: ApprovalRequest, work: () => Promise<T>): Promise<T> {
    const { createDraft, session } = this.#parts;
    if (this.#draft === undefined) {
      this.#draft = createDraft();
      this.#seen = new Map(session.seen);
    }
    const made = await this.#draft.run(work);
    this.#requests.push(request);
    return made;
  }

  async settle(pauseDuring: PauseDuring = (work) => work()): Promise<void> {
    const { requests, draft } = this.#take();
    if (draft === undefined) return;
    const kept = new Set<string>();
    try {
      const change = await draft.plan();
      if (change === undefined) return;
      const allowed = await this.#ask(change, requests, pauseDuring);
      const { confine } = this.#parts;
      if (allowed.size > 0) await confine([...allowed], () => change.apply(this.#parts, allowed));
      for (const path of allowed) kept.add(path);
      refuseRest(change, allowed);
    } catch (error) {
      this.#lose(requests, kept);
      throw error;
    } finally {
      await draft.dispose();
    }
  }

  /** Discards the collected changes. @returns the files that are therefore left unchanged */
  async discard(): Promise<readonly string[]> {
    const { requests, draft } = this.#take();
    await draft?.dispose();
    return this.#lose(requests, new Set());
  }

  #take() {
    const taken = { requests: this.#requests, draft: this.#draft };
    this.#draft = undefined;
    this.#requests = [];
    return taken;
  }

  /** @returns the paths of the files that may be changed @throws ApprovalError if none may */
  async #ask(
    change: DraftChange,
    parts: readonly ApprovalRequest[],
    pauseDuring: PauseDuring,
  ): Promise<ReadonlySet<string>> {
    const { approver, session, signal, getSpace } = this.#parts;
    const { files } = change;
    const touches = files.map(({ path }) => path);
    const reason = parts.find((part) => part.reason !== undefined)?.reason;
    const request: ApprovalRequest = {
      session: session.id,
      space: getSpace(),
      tool: 'run',
      effect: 'write',
      tag: '<run>',
      args: {},
      target: '',
      touches,
      ...(reason !== undefined && { reason }),
      texts: () => files.flatMap(({ texts }) => texts),
      preview: async () => files.map(({ preview }) => preview).join(''),
      parts,
      files,
    };
    const outcome = await untilAborted(
      pauseDuring(async () => approver.approve(request, signal)),
      signal,
    );
    if (!outcome.allow) throw new ApprovalError(`${touches.join(', ')}: ${outcome.reason}`);
    return new Set(outcome.only ?? touches);
  }

  /** Records changes that were not written, and restores what the session had seen of their files before. */
  #lose(requests: readonly ApprovalRequest[], kept: ReadonlySet<string>): readonly string[] {
    const { seen } = this.#parts.session;
    const all = new Set(requests.flatMap(({ touches = [] }) => touches));
    const paths = [...all].filter((path) => !kept.has(path));
    for (const path of paths) {
      const before = this.#seen.get(path);
      if (before === undefined) seen.delete(path);
      else seen.set(path, before);
    }
    for (const request of requests)
      if (request.touches?.some((path) => kept.has(path)) !== true) this.lost.add(request);
    return paths;
  }
}

/** @throws ApprovalError if some of the files may not be changed */
function refuseRest({ files }: DraftChange, allowed: ReadonlySet<string>): void {
  const left = files.map(({ path }) => path).filter((path) => !allowed.has(path));
  if (left.length === 0) return;
  const rest = allowed.size === 0 ? '' : ` Written: ${[...allowed].join(', ')}.`;
  throw new ApprovalError(`the user refused ${left.join(', ')}; that was not written.${rest} Ask what to do instead.`);
}
