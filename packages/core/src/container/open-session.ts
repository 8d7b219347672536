import type { DependencyContainer } from 'tsyringe';
import { EchoedCallGuard } from '../agent/call-guards.ts';
import { EventHub } from '../agent/events.ts';
import { Places } from '../agent/places.ts';
import { recordConsents, SessionRecorder, type Session } from '../agent/session.ts';
import { createSessionTools } from '../agent/session-tools.ts';
import { readOnly } from '../approval/approval-policy.ts';
import type { Entropy, Host } from '../protocol/host.ts';
import { TOKEN_CAP, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Navigation } from '../registry/navigation.ts';
import { createMemoryResults } from '../results/read-result.ts';
import { ToolRouter } from '../tool-router/tool-router.ts';
import type { AgentOptions } from './agent-options.ts';
import { openSpaces } from './open-spaces.ts';

/** Makes everything that one session has of its own, its spaces included; the container is of this session alone. */
export function openSession(
  options: AgentOptions & { readonly host: Host },
  container: DependencyContainer,
  label: string,
) {
  const { host, pruner = structuralPruner, approver = readOnly, resume } = options;
  const recorder = new SessionRecorder(options.log, resume?.seen);
  const { tree: registry, dispose: disposeSpaces } = openSpaces(options, container);
  const cap = (options.cap ?? TOKEN_CAP) * UNITS_PER_TOKEN;
  const results = options.results ?? createMemoryResults();
  const navigation = new Navigation(registry, resume?.location, resume?.history);
  // A place that is gone since is replaced by the nearest one that is still there.
  navigation.settle();
  const places = new Places({ registry, navigation, cap, runBlocks: options.codeRunner !== undefined });
  const sessionTools = createSessionTools(results, places);
  const resultLimits = { pruner, results, cap };
  const recorded = recordConsents(approver, recorder);
  let lastId = resume?.lastId ?? 0;
  const id = resume?.id ?? options.log?.id ?? drawHex(host.entropy, 16);
  const session: Session = {
    label,
    nonce: drawHex(host.entropy, 3),
    host,
    registry,
    navigation,
    places,
    resultLimits,
    router: new ToolRouter({ ...resultLimits, tree: registry, approver: recorded, host, sessionTools }),
    hub: new EventHub(label, options.log, resume?.turn),
    state: { id, seen: recorder.seen },
    recorder,
    echoes: new EchoedCallGuard(),
    results,
    unsent: new Set(),
    codeRunner: options.codeRunner,
    nextId: () => String(++lastId),
  };
  const dispose = async (): Promise<void> => {
    await options.codeRunner?.forget?.(id);
    await disposeSpaces();
  };
  return { session, dispose };
}

/** Random bytes as lower-case hexadecimal digits. */
function drawHex(entropy: Entropy, bytes: number): string {
  const drawn = entropy.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
