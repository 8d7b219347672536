import {
  methods,
  RequestError,
  type AgentContext,
  type AvailableCommand,
  type ClientCapabilities,
  type ContentBlock,
  type PermissionOption,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type ToolCallContent,
} from '@agentclientprotocol/sdk';
import type { Agent, AgentEvent, ApprovalRequest, Approver, Model } from '@bae/core';
import { createLedger, type Ledger } from '@bae/models';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { composeAgent } from '../compose.ts';
import { mountServers } from '../config/load-servers.ts';
import { loadInstructions } from '../config/instructions.ts';
import { findPromptFiles, fetchServerPrompt, listServerPrompts } from '../config/prompts.ts';
import { loadSettings, locateTasks, type Settings } from '../config/settings.ts';
import { type AskPerson, openRestricted } from '../consent/approver.ts';
import { CARRY_OUT, decideByMode, hasPlan, PLAN_REQUEST, type Mode } from '../consent/modes.ts';
import { makeRule, UserRules } from '../consent/user-rules.ts';
import { makeVisible } from '../terminal/terminal-text.ts';
import { keepSession, type KeptSession } from '../kept-session.ts';
import { findLastResponse, isCompaction } from '../shell/shell-commands.ts';
import { addToPrompt, readProse } from '../views/read-prose.ts';
import { askQuestionInEditor, listOptions, nameRequest, ONE_FILE } from './ask-in-editor.ts';
import type { WorkspaceRoot } from '@bae/workspace';
import { explainCommand, OWN_COMMANDS, runOwnCommand, readPromptBlocks } from './editor-prompt.ts';
import { listDiffs, SessionUpdates, showCode, showText, toKind, TaskPlan } from './session-updates.ts';
import { readErrorText } from '../command-line/errors.ts';

interface EditorRequest {
  readonly context: CommandContext;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Servers that the editor provides, in the format of `.mcp.json`. */
  readonly servers: readonly (readonly [name: string, settings: object])[];
  /** Id of the session to resume. Default: a new session. */
  readonly resume?: string;
}

/** Time limit for an editor to return unsaved text, in milliseconds; after that it is not asked again. */
const UNSAVED_MS = 2000;

/** Conversation with an editor. */
export class EditorSession {
  readonly id: string;
  mode: Mode = 'ask';
  readonly #modes = decideByMode(() => (this.#isTyped ? 'typed' : this.mode));
  readonly #request: EditorRequest;
  readonly #settings: Settings;
  readonly #agent: Agent;
  /** Tells which attached files are shown only with consent. */
  readonly #workspace: WorkspaceRoot;
  readonly #model: Model;
  readonly #kept: KeptSession;
  readonly #updates: SessionUpdates;
  readonly #plan: TaskPlan;
  readonly #ledger: Ledger;
  #last: Extract<AgentEvent, { type: 'response-end' }> | undefined;
  /** True while a command of the user is running; typing it was consent. */
  #isTyped = false;
  readonly #turns = new Set<AbortController>();
  /** Running call, to which a question refers. */
  #call: string | undefined;
  #canReadUnsaved: boolean;
  /** Updates are sent in order. */
  #sent: Promise<void> = Promise.resolve();

  /** @throws RequestError when the model or the session is missing, or the settings of the folder are invalid */
  static async open(request: EditorRequest): Promise<EditorSession> {
    const { context, cwd, servers, resume } = request;
    const options = { ...context.options, cwd, ...(resume !== undefined && { resume }) };
    const own = { ...context, options, root: cwd };
    const settings = await loadSettings(own);
    const { model } = await chooseModelFor(settings, own);
    if (model === undefined)
      throw RequestError.internalError({ try: WAYS_TO_A_MODEL }, `there is no model. Try: ${WAYS_TO_A_MODEL}`);
    await using opened = new AsyncDisposableStack();
    opened.defer(() => model.dispose?.());
    const mounted = await mountServers(servers, { root: cwd, env: context.terminal.env });
    const kept = await keepSession(settings, own);
    opened.defer(() => kept.close());
    if (resume !== undefined && kept.parts.resume?.id !== resume)
      throw RequestError.invalidParams({ sessionId: resume }, `there is no session ${resume}`);
    const instructions = await loadInstructions(cwd, own);
    const made = new EditorSession({ request, settings, model, kept }, (session) =>
      composeAgent({ ...settings, servers: [...settings.servers, ...mounted] }, own, {
        model,
        kept: kept.parts,
        instructions,
        ask: session.#modes.wrapAsk(session.#ask),
        ...(request.capabilities.elicitation?.form && { askPerson: session.#createForm() }),
        openCommands: 'the user can set commands: true in a settings file and name it with --config',
        wrapApprover: (inner) => session.#showChanges(session.#modes.wrapApprover(inner)),
        readUnsaved: (path) => session.#readUnsaved(path),
      }),
    );
    // From now on they are closed with the session.
    opened.move();
    return made;
  }

  private constructor(
    parts: Readonly<{ request: EditorRequest; settings: Settings; model: Model; kept: KeptSession }>,
    compose: (session: EditorSession) => Agent,
  ) {
    this.#request = parts.request;
    this.#settings = parts.settings;
    this.#model = parts.model;
    this.#kept = parts.kept;
    this.#canReadUnsaved = parts.request.capabilities.fs?.readTextFile === true;
    const { cwd } = parts.request;
    this.#agent = compose(this);
    this.#workspace = openRestricted(parts.settings, parts.request.context.terminal.env);
    const prose = (text: string, isMended = false): string => readProse(text, { tree: this.#agent.tree, isMended });
    this.#updates = new SessionUpdates({ root: cwd, prose });
    this.#ledger = createLedger(parts.settings.prices ?? parts.model.prices);
    this.#plan = new TaskPlan(locateTasks(cwd));
    this.id = this.#agent.id;
    if (parts.request.resume !== undefined) this.#last = findLastResponse(this.#kept.events(this.id) ?? []);
    this.#agent.subscribe((event) => this.#report(event));
  }

  /** Sends all earlier events to an editor that loads a session. */
  async replay(): Promise<void> {
    for (const event of this.#kept.events(this.id) ?? [])
      for (const update of this.#updates.replay(event)) this.#send(update);
    await this.#sent;
  }

  /** Sends the available commands and the tasks. */
  async announce(): Promise<void> {
    this.#sendCommands();
    await this.#sendPlan();
  }

  /** Runs a turn after those requested before it. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    const turn = new AbortController();
    const { signal } = turn;
    this.#turns.add(turn);
    let outcome = 'answered';
    const stop = this.#agent.subscribe((event) => {
      if (event.type === 'turn-end') ({ outcome } = event);
    });
    try {
      const { text, attachments, quoted } = await readPromptBlocks(blocks, this.#workspace);
      const said =
        (await runOwnCommand(text.trim(), this.#parts, signal)) ?? explainCommand(text, this.#listCommands());
      if (said !== undefined) {
        this.#send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
        return { stopReason: 'end_turn' };
      }
      const composed = await this.#compose(text, signal);
      const isPlanning = this.mode === 'plan';
      const asked = addToPrompt(composed.text, isPlanning ? PLAN_REQUEST : '');
      const others = [...quoted, ...composed.quoted];
      const answer = await this.#agent.ask(asked, { signal, attachments, quoted: others });
      if (isPlanning && hasPlan(answer) && (await this.#askAboutPlan(answer, signal)))
        await this.#agent.ask(CARRY_OUT, { signal });
      return { stopReason: outcome === 'limit' ? 'max_turn_requests' : 'end_turn' };
    } catch (error) {
      if (signal.aborted) return { stopReason: 'cancelled' };
      throw RequestError.internalError(undefined, readErrorText(error));
    } finally {
      stop();
      this.#turns.delete(turn);
      this.#sendCommands();
      await this.#sent;
    }
  }

  get #parts(): Parameters<typeof runOwnCommand>[1] {
    const runTyped = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#isTyped = true;
      return work().finally(() => (this.#isTyped = false));
    };
    return { agent: this.#agent, ledger: this.#ledger, last: this.#last, runTyped };
  }

  cancel(): void {
    for (const turn of this.#turns) turn.abort();
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#agent.close();
    this.#workspace[Symbol.dispose]();
    this.#kept.close();
    await this.#model.dispose?.();
  }

  /** Expands a prompt that begins with a command to the text of the command, and says what of it others wrote. */
  async #compose(text: string, signal: AbortSignal) {
    const [, name = '', rest = ''] = /^\/([\w:-]+)(?:\s+([^]*))?$/.exec(text) ?? [];
    const words = rest.split(/\s+/).filter((word) => word !== '');
    const file = this.#findPrompts().find((one) => one.name === name);
    if (file !== undefined) {
      const composed = file.compose(words);
      return { text: composed, quoted: file.isOfProject ? [composed] : [] };
    }
    const ofServer = listServerPrompts(this.#agent.tree).find((one) => one.name === name);
    if (ofServer === undefined) return { text, quoted: [] };
    const fetched = await fetchServerPrompt(ofServer, words, { agent: this.#agent, signal });
    return { text: fetched, quoted: [fetched] };
  }

  #findPrompts() {
    return findPromptFiles(this.#settings, this.#request.context.terminal.env);
  }

  #commands = '';

  #listCommands(): AvailableCommand[] {
    return [
      ...OWN_COMMANDS,
      ...this.#findPrompts().map(({ name, about }) => ({ name, description: about, input: { hint: 'words' } })),
      ...listServerPrompts(this.#agent.tree).map(({ name, about, fields }) => ({
        name,
        description: about,
        ...(fields.length > 0 && { input: { hint: fields.join(' ') } }),
      })),
    ];
  }

  /** Sends the commands if they have changed: entering a server adds its prompts. */
  #sendCommands(): void {
    const availableCommands = this.#listCommands();
    const all = JSON.stringify(availableCommands);
    if (all === this.#commands) return;
    this.#commands = all;
    this.#send({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  async #sendPlan(): Promise<void> {
    const plan = await this.#plan.read().catch(() => undefined);
    if (plan !== undefined) this.#send(plan);
  }

  async #report(event: AgentEvent): Promise<void> {
    this.#ledger.add(event);
    if (event.type === 'response-end') this.#last = event;
    if (isCompaction(event)) this.#last = undefined;
    if (event.type === 'call-start') this.#call = event.id;
    for (const update of this.#updates.of(event)) this.#send(update);
    if (event.type === 'call-end' && event.ok && event.space === 'tasks') await this.#sendPlan();
  }

  #send(update: SessionUpdate): void {
    const params = { sessionId: this.id, update };
    this.#sent = this.#sent
      .then(() => this.#request.client.notify(methods.client.session.update, params))
      .catch(() => undefined);
  }

  /** Shows the changes of a call, regardless of who decides about it. */
  #showChanges(inner: Approver): Approver {
    return {
      ...inner,
      approve: (request, signal) => {
        const update = this.#call === undefined ? undefined : this.#updates.ofChange(this.#call, request);
        if (update !== undefined) this.#send(update);
        return inner.approve(request, signal);
      },
    };
  }

  /** Asks for permission in the editor, showing the whole change. */
  readonly #ask: AskPerson = async (request, signal) => {
    const { cwd, context } = this.#request;
    const rules = new UserRules(context.terminal.env, cwd);
    const diffs = listDiffs(cwd, request.texts?.() ?? []);
    const hasAll = diffs.length >= (request.touches?.length ?? 0);
    const change = async () => (await request.preview?.()) ?? JSON.stringify(request.args, undefined, 2);
    // A diff in an editor cannot show a file that is not text.
    const content = diffs.length > 0 && hasAll ? diffs : [showCode(makeVisible(await change()), 'diff')];
    const chosen = await this.#choose(
      { request, title: nameRequest(request), content, options: listOptions(request, rules.shownFile) },
      signal,
    );
    if (chosen === undefined) return undefined;
    if (chosen === 'files') return this.#askByFile(request, signal);
    if (chosen === 'allow-rule') rules.allow(makeRule(request)!);
    return {
      decision: chosen.startsWith('allow') ? 'allow' : 'deny',
      ...(/^allow-(?:tool|rule)$/.test(chosen) && { remember: 'tool' as const }),
    };
  };

  #plans = 0;

  /** Asks whether to follow a plan. If so, switches to the chosen mode and returns true. */
  async #askAboutPlan(plan: string, signal: AbortSignal): Promise<boolean> {
    const toolCallId = `plan-${++this.#plans}`;
    const toolCall = { toolCallId, title: 'Follow the plan', kind: 'switch_mode' as const, content: [showText(plan)] };
    this.#send({ sessionUpdate: 'tool_call', ...toolCall, status: 'pending' });
    const options: PermissionOption[] = [
      { optionId: 'ask', name: 'Yes, ask before each change', kind: 'allow_once' },
      { optionId: 'edit', name: 'Yes, make edits without asking', kind: 'allow_always' },
      { optionId: 'plan', name: 'No, go on planning', kind: 'reject_once' },
    ];
    const chosen = await this.#requestPermission({ toolCall, options }, signal);
    const mode = chosen === 'ask' || chosen === 'edit' ? chosen : 'plan';
    this.#send({ sessionUpdate: 'tool_call_update', toolCallId, status: mode === 'plan' ? 'failed' : 'completed' });
    if (mode === 'plan') return false;
    this.mode = mode;
    this.#send({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    return true;
  }

  /** Asks about each file that a run block has changed; undefined if a question was not answered. */
  async #askByFile(request: ApprovalRequest, signal: AbortSignal): ReturnType<AskPerson> {
    const only: string[] = [];
    for (const { path, preview, texts } of request.files ?? []) {
      const diffs = listDiffs(this.#request.cwd, texts);
      const content = diffs.length > 0 ? diffs : [showCode(makeVisible(preview), 'diff')];
      const title = `${request.space}: run changes ${path}`;
      const chosen = await this.#choose({ request, title, content, options: ONE_FILE }, signal);
      if (chosen === undefined) return undefined;
      if (chosen === 'allow') only.push(path);
    }
    return only.length === 0 ? { decision: 'deny' } : { decision: 'allow', only };
  }

  /** Asks the editor a question about the current call. Resolves to the id of the chosen option, if any. */
  #choose({ request, title, content, options }: EditorQuestion, signal: AbortSignal): Promise<string | undefined> {
    const toolCall = { toolCallId: this.#call ?? request.tag, title, kind: toKind(request.tool), content };
    return this.#requestPermission({ toolCall, options }, signal);
  }

  async #requestPermission(
    { toolCall, options }: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    await this.#sent;
    const { outcome } = await this.#request.client.request<RequestPermissionResponse>(
      methods.client.session.requestPermission,
      { sessionId: this.id, toolCall, options },
      { cancellationSignal: signal },
    );
    // An editor may answer with anything.
    const isOffered = outcome.outcome === 'selected' && options.some(({ optionId }) => optionId === outcome.optionId);
    return isOffered ? outcome.optionId : undefined;
  }

  #createForm() {
    return askQuestionInEditor({
      client: this.#request.client,
      locate: () => ({ sessionId: this.id, ...(this.#call !== undefined && { toolCallId: this.#call }) }),
      settle: () => this.#sent,
    });
  }

  /** Reads the text of a file in the editor; undefined if the editor does not return it. */
  async #readUnsaved(path: string): Promise<string | undefined> {
    if (!this.#canReadUnsaved) return undefined;
    const cancellationSignal = AbortSignal.timeout(UNSAVED_MS);
    try {
      const { content } = await this.#request.client.request(
        methods.client.fs.readTextFile,
        { sessionId: this.id, path },
        { cancellationSignal, stopWaitingOnCancel: true },
      );
      return content;
    } catch {
      if (cancellationSignal.aborted) this.#canReadUnsaved = false;
      return undefined;
    }
  }
}

/** Question to the person at the editor. */
interface EditorQuestion {
  readonly request: ApprovalRequest;
  readonly title: string;
  readonly content: ToolCallContent[];
  readonly options: PermissionOption[];
}
