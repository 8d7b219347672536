import type { DependencyContainer } from 'tsyringe';
import { CopyGuard } from '../agent/copy-guard.ts';
import { EventHub } from '../agent/event-hub.ts';
import { Places } from '../agent/places.ts';
import { randomHex } from '../agent/random-hex.ts';
import type { Session } from '../agent/session.ts';
import { SessionRecorder } from '../agent/session-recorder.ts';
import { SessionTools } from '../agent/session-tools.ts';
import type { Host } from '../protocol/host.ts';
import { TOKEN_CAP, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';
import { structuralPruner } from '../pruner/prune.ts';
import { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import { memoryResults } from '../results/memory-results.ts';
import { ToolRouter } from '../tool-router/tool-router.ts';
import type { AgentOptions } from './agent-options.ts';
import { readOnly } from './approvers.ts';
import { openSpaces } from './open-spaces.ts';
import { recordedApprover } from './recorded-approver.ts';

/** A session, and how to let go of what was made for it. */
export interface OpenedSession {
  readonly session: Session;
  dispose(): Promise<void>;
}

/**
 * Makes everything that one session has of its own, its spaces included.
 *
 * @param container of this session alone: a class is instantiated once in it
 */
export function openSession(
  options: AgentOptions & { readonly host: Host },
  container: DependencyContainer,
  label: string,
): OpenedSession {
  const { host, pruner = structuralPruner, approver = readOnly, resume } = options;
  const recorder = new SessionRecorder(options.log, resume?.seen);
  const { tree: registry, dispose: disposeSpaces } = openSpaces(options, container);
  const cap = (options.cap ?? TOKEN_CAP) * UNITS_PER_TOKEN;
  const results = options.results ?? memoryResults();
  const navigation = navigationFrom(registry, options.resume);
  const places = new Places({ registry, navigation, cap, runBlocks: options.codeRunner !== undefined });
  const answers = new SessionTools(results, places);
  const fitting = { pruner, results, cap };
  const recorded = recordedApprover(approver, recorder);
  const id = resume?.id ?? options.log?.id ?? randomHex(host.entropy, 16);
  const session: Session = {
    label,
    nonce: randomHex(host.entropy, 8),
    host,
    registry,
    navigation,
    places,
    fitting,
    router: new ToolRouter({ ...fitting, tree: registry, approver: recorded, host, answers }),
    hub: new EventHub(label, options.log, resume?.turn),
    state: { id, seen: recorder.seen },
    recorder,
    copies: new CopyGuard(),
    results,
    codeRunner: options.codeRunner,
    nextId: counter(resume?.lastId ?? 0),
  };
  const dispose = async (): Promise<void> => {
    await options.codeRunner?.forget?.(id);
    await disposeSpaces();
  };
  return { session, dispose };
}

/** Where a session stood before; the nearest place that is still there. */
function navigationFrom(registry: Registry, resume: SessionSnapshot | undefined): Navigation {
  const navigation = new Navigation(registry, resume?.location, resume?.history);
  navigation.settle();
  return navigation;
}

function counter(start: number): () => string {
  let last = start;
  return () => String(++last);
}
