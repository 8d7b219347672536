import type { DependencyContainer } from 'tsyringe';
import { EchoedCallGuard } from '../agent/call-guards.ts';
import { EventHub } from '../agent/events.ts';
import { Places } from '../agent/places.ts';
import { recordConsents, SessionRecorder, type Session } from '../agent/session.ts';
import { createSessionTools } from '../agent/session-tools.ts';
import { readOnly } from '../approval/approval-policy.ts';
import type { Entropy, Host } from '../protocol/host.ts';
import { TOKEN_CAP, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';
import { structuralPruner } from '../pruner/prune.ts';
import { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import { createMemoryResults } from '../results/read-result.ts';
import { ToolRouter } from '../tool-router/tool-router.ts';
import type { AgentOptions } from './agent-options.ts';
import { openSpaces } from './open-spaces.ts';

/** A session, and the function that releases what was made for it. */
interface OpenedSession {
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
  const results = options.results ?? createMemoryResults();
  const navigation = resumeNavigation(registry, resume);
  const places = new Places({ registry, navigation, cap, runBlocks: options.codeRunner !== undefined });
  const sessionTools = createSessionTools(results, places);
  const answerLimits = { pruner, results, cap };
  const recorded = recordConsents(approver, recorder);
  const id = resume?.id ?? options.log?.id ?? drawHex(host.entropy, 16);
  const session: Session = {
    label,
    nonce: drawHex(host.entropy, 8),
    host,
    registry,
    navigation,
    places,
    answerLimits,
    router: new ToolRouter({ ...answerLimits, tree: registry, approver: recorded, host, sessionTools }),
    hub: new EventHub(label, options.log, resume?.turn),
    state: { id, seen: recorder.seen },
    recorder,
    echoes: new EchoedCallGuard(),
    results,
    codeRunner: options.codeRunner,
    nextId: makeCounter(resume?.lastId ?? 0),
  };
  const dispose = async (): Promise<void> => {
    await options.codeRunner?.forget?.(id);
    await disposeSpaces();
  };
  return { session, dispose };
}

/** Where a session stood before; the nearest place that is still there. */
function resumeNavigation(registry: Registry, resume: SessionSnapshot | undefined): Navigation {
  const navigation = new Navigation(registry, resume?.location, resume?.history);
  navigation.settle();
  return navigation;
}

function makeCounter(start: number): () => string {
  let last = start;
  return () => String(++last);
}

/** Draws a random name of so many bytes, as lower-case hexadecimal digits. */
function drawHex(entropy: Entropy, bytes: number): string {
  const drawn = entropy.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
