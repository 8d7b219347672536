import 'reflect-metadata/lite';
import { container as rootContainer, type DependencyContainer } from 'tsyringe';
import type { Agent } from '../agent/agent.ts';
import { AgentSession } from '../agent/agent-session.ts';
import { splitFrames, startConversation } from '../agent/conversation.ts';
import { buildSystemPrompt } from '../agent/system-prompt.ts';
import {
  CONTEXT_TOKENS,
  MAX_BATCHES,
  MODEL_DEADLINE_MS,
  MODEL_FIRST_TOKEN_MS,
  MODEL_IDLE_MS,
  MODEL_TRIES,
  TOKEN_CAP,
  UNITS_PER_TOKEN,
} from '../protocol/limits.ts';
import { ReadTexts } from '../agent/guards/call-guards.ts';
import { EchoedCallGuard } from '../agent/guards/echoed-calls.ts';
import { EventHub, recordConsents, SessionRecorder, type Session } from '../agent/session.ts';
import { SessionHooks } from '../agent/hooks.ts';
import { ModelCalls } from '../agent/model-request.ts';
import type { TurnLimits } from '../agent/turn.ts';
import { Places, createSessionTools } from '../agent/places.ts';
import { readOnly } from '../approval/approval-policy.ts';
import { createDefaultHost, type Entropy, type Host } from '../protocol/host.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Navigation } from '../registry/navigation.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { ToolRouter } from '../tool-router/tool-router.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { SpaceMaker } from '../registry/space-maker.ts';
import { Registry } from '../registry/registry.ts';
import { checkAgentOptions, checkLabel, joinConfines, type AgentOptions } from './agent-options.ts';

/**
 * Creates an agent. The caller still owns the values it passes in: `close()` disposes of the spaces that bae created
 * from classes, but not of instances, nor of the model.
 *
 * @throws ConfigurationError for invalid options; InvalidSpaceError for a space that cannot be registered
 */
export function createAgent(options: AgentOptions = {}): Agent {
  checkAgentOptions(options);
  const complete = { ...options, host: options.host ?? createDefaultHost() };
  for (const { restrict } of options.provide ?? []) restrict?.(options.approver?.fileRules ?? []);
  return makeAgent(complete, createContainer(complete), { label: options.label ?? options.resume?.label ?? '1' });
}

type CompleteOptions = Omit<AgentOptions, 'host'> & { readonly host: Host };

/** Texts that the guards against copied calls and arguments know. */
type KnownTexts = Pick<Session, 'echoes' | 'readTexts'>;

interface Opening {
  readonly label: string;
  /** Default: those of the session itself. */
  readonly texts?: KnownTexts | undefined;
}

function makeAgent(options: CompleteOptions, container: DependencyContainer, opening: Opening): Agent {
  const { model, resume } = options;
  const limits = chooseLimits(options);
  const opened = openSession(options, limits, { container: container.createChildContainer(), ...opening });
  options.approver?.recall?.(opened.session.state.id, resume?.consents ?? []);
  const systemPrompt = buildSystemPrompt(options.instructions ?? '', options.codeRunner !== undefined);
  return new AgentSession({
    ...opened,
    start: startConversation(systemPrompt, resume, opened.session),
    model,
    context: options.context ?? '',
    limits,
    fork: (other, { sharesReads = false, ...own }) => {
      checkLabel(other);
      const { echoes, readTexts } = opened.session;
      const { resume: _, log: _log, results: _results, ...shared } = options;
      const texts = sharesReads ? { echoes, readTexts } : undefined;
      return makeAgent({ ...shared, ...own }, container, { label: other, texts });
    },
  });
}

function chooseLimits(options: CompleteOptions): TurnLimits {
  const { model, prices = model?.prices } = options;
  const idleMs = options.idleMs ?? model?.idleMs ?? MODEL_IDLE_MS;
  const firstTokenMs = options.firstTokenMs ?? Math.max(MODEL_FIRST_TOKEN_MS, idleMs);
  return {
    maxBatches: options.maxBatches ?? MAX_BATCHES,
    firstTokenMs,
    idleMs,
    tries: options.tries ?? MODEL_TRIES,
    deadlineMs: options.deadlineMs ?? Math.max(MODEL_DEADLINE_MS, firstTokenMs),
    spending: prices === undefined ? options : { ...options, prices },
    contextTokens: options.contextTokens ?? model?.contextTokens ?? CONTEXT_TOKENS,
  };
}

/** Creates everything that one session owns, including its spaces; the container is used by this session alone. */
function openSession(
  options: CompleteOptions,
  limits: TurnLimits,
  { container, label, texts }: Opening & { readonly container: DependencyContainer },
) {
  const { host, pruner = structuralPruner, approver = readOnly, resume } = options;
  const recorder = new SessionRecorder(options.log, resume?.seen);
  const confine = joinConfines(options.provide);
  const { tree: registry, dispose: disposeSpaces } = openSpaces(options, container);
  const cap = (options.cap ?? TOKEN_CAP) * UNITS_PER_TOKEN;
  const results = options.results ?? createMemoryResults();
  const navigation = new Navigation(registry, resume?.location, resume?.history);
  // A location that no longer exists is replaced by its nearest existing ancestor.
  navigation.settle();
  const places = new Places({ registry, navigation, cap, runBlocks: options.codeRunner !== undefined });
  const findLines = options.provide?.find((provision) => provision.findLines !== undefined)?.findLines;
  const sessionTools = createSessionTools({ results, findLines }, places);
  const resultLimits = { pruner, results, cap };
  const recorded = recordConsents(approver, recorder);
  const id = resume?.id ?? options.log?.id ?? drawHex(host.entropy, 16);
  const hub = new EventHub(label, options.log, resume);
  for (const hook of options.hooks ?? [])
    if (hook.onEvent !== undefined) hub.subscribe((event) => hook.onEvent!(event));
  const modelCalls = new ModelCalls({
    model: options.model,
    limits,
    host,
    onRetry: (text) => hub.emit({ type: 'notice', code: 'retry', text }),
  });
  const session: Session = {
    label,
    nonce: drawHex(host.entropy, 3),
    host,
    registry,
    navigation,
    places,
    resultLimits,
    router: new ToolRouter({
      ...resultLimits,
      tree: registry,
      approver: recorded,
      host,
      sessionTools,
      askPerson: options.askPerson,
      modelCalls,
      confine,
    }),
    confine,
    hub,
    modelCalls,
    hooks: options.hooks && new SessionHooks(options.hooks, host, hub),
    state: { id, seen: recorder.seen },
    recorder,
    ...(texts ?? rememberTexts(resume)),
    results,
    unsent: new Set(),
    cancels: new Map(),
    codeRunner: options.codeRunner,
    approver: recorded,
    createDraft: options.provide?.find(({ createDraft }) => createDraft !== undefined)?.createDraft,
  };
  const dispose = async (): Promise<void> => {
    await options.codeRunner?.forget?.(id);
    await disposeSpaces();
  };
  return { session, dispose };
}

/** Number of characters of the latest messages that the guards of a resumed session start with. */
const MOST_REMEMBERED = 524_288;
const NOTHING = { messages: [] } as const;

/**
 * Beginning of an attached file in a message of the shell or an editor. Sessions of earlier versions have no other record
 * of it.
 */
const ATTACHED = /^\[?Attached: .+$/m;

/**
 * Collects the texts that a resumed session has read and its user has written, for the guards against copied calls and
 * arguments.
 */
function rememberTexts({ messages, quoted = [] }: Pick<SessionSnapshot, 'messages' | 'quoted'> = NOTHING): KnownTexts {
  const [echoes, readTexts] = [new EchoedCallGuard(), new ReadTexts()];
  const learnAttached = (text: string): void => {
    echoes.learn(text);
    readTexts.add({ text, tag: 'an attachment', space: 'the prompt' });
  };
  let left = MOST_REMEMBERED;
  const latest = messages.findLastIndex(({ text }) => (left -= text.length) < 0) + 1;
  for (const { role, text } of messages.slice(latest)) {
    if (role !== 'user') continue;
    // Removed first: frames in them are none. A function, because a replacement text would be interpreted.
    const { results, rest } = splitFrames(quoted.reduce((own, part) => own.replace(part, () => ''), text));
    const isRecorded = quoted.some((part) => text.includes(part));
    const end = isRecorded ? -1 : rest.search(ATTACHED);
    readTexts.addUserWords(end === -1 ? rest : rest.slice(0, end));
    if (end !== -1) learnAttached(rest.slice(end));
    for (const result of results) {
      echoes.learn(result, { isOwn: true });
      readTexts.add({ text: result, tag: 'an earlier call', space: 'this session' });
    }
  }
  quoted.forEach(learnAttached);
  return { echoes, readTexts };
}

function drawHex(entropy: Entropy, bytes: number): string {
  const drawn = entropy.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Token for the clock, timers and randomness of the agent, for constructors: `@inject(HOST) host: Host`. */
export const HOST = Symbol.for('bae.host');

/** Token for the agent's model, for spaces that call a model themselves; undefined if there is none. */
export const MODEL = Symbol.for('bae.model');

/**
 * Creates the spaces of one session without a session: for a manifest, an inspector or a test. `dispose()` disposes of
 * the spaces created from classes and factories, but not of instances and records that were passed in.
 *
 * @param container the container of this session alone. Default: a new one with a host, no model, and the values of
 *   `options.provide`
 * @throws InvalidSpaceError for a space that cannot be created or registered
 */
export function openSpaces(
  {
    home = makeEmptyHome(),
    spaces = [],
    only,
    provide = [],
  }: Pick<AgentOptions, 'home' | 'spaces' | 'only' | 'provide'>,
  container: DependencyContainer = createContainer({ provide }),
): { readonly tree: Registry; readonly dispose: () => Promise<void> } {
  const confine = joinConfines(provide);
  const maker = new SpaceMaker(container, confine);
  const create: SpaceMaker['create'] = (source) => maker.create(source);
  const tree = confine([], () => new Registry(create(home), create));
  confine([], () => spaces.forEach((source) => tree.register(source, only)));
  const { timers } = container.resolve<Host>(HOST);
  return { tree, dispose: () => maker.dispose(timers) };
}

export function createContainer({
  host = createDefaultHost(),
  model,
  provide = [],
}: Pick<AgentOptions, 'host' | 'model' | 'provide'>): DependencyContainer {
  const container = rootContainer.createChildContainer();
  const all = [{ token: HOST, value: host }, { token: MODEL, value: model }, ...provide];
  for (const { token, value } of all) container.register(token, { useValue: value });
  return container;
}

function makeEmptyHome() {
  return defineResourcespace({ name: 'start', description: 'Where every session begins.', tools: {} });
}
