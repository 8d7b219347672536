import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  methods,
  RequestError,
  type AgentContext,
  type ContentBlock,
  type PermissionOption,
  type PromptResponse,
  type RequestPermissionResponse,
  type SessionUpdate,
  type ToolKind,
} from '@agentclientprotocol/sdk';
import { asModelText, type Agent, type AgentEvent, type ApprovalRequest, type Model } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { composeAgent } from '../compose.ts';
import { mountServers } from '../config/load-servers.ts';
import { loadInstructions } from '../config/instructions.ts';
import { loadSettings } from '../config/settings.ts';
import type { AskPerson } from '../consent/approver.ts';
import { decideByMode, type Mode } from '../consent/modes.ts';
import { makeVisible } from '../terminal/terminal-text.ts';
import { keepSession, type KeptSession } from '../kept-session.ts';

interface EditorRequest {
  readonly context: CommandContext;
  readonly client: AgentContext;
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** Servers that the editor brings, as `.mcp.json` has them. */
  readonly servers: readonly (readonly [name: string, settings: object])[];
}

/** One conversation of an editor. */
export class EditorSession {
  readonly id: string;
  mode: Mode = 'ask';
  readonly #modes = decideByMode(() => this.mode);
  readonly #client: AgentContext;
  readonly #root: string;
  readonly #agent: Agent;
  readonly #model: Model;
  readonly #kept: KeptSession;
  #turn: AbortController | undefined;
  /** The call that runs: a question is about it. */
  #call: { readonly id: string; readonly title: string } | undefined;
  /** Updates are sent in order. */
  #sent: Promise<void> = Promise.resolve();

  /** @throws RequestError when there is no model, or the settings of the folder are wrong */
  static async open({ context, client, cwd, servers }: EditorRequest): Promise<EditorSession> {
    const options = { ...context.options, cwd };
    const own = { ...context, options, root: cwd };
    const settings = await loadSettings(own);
    const { model } = await chooseModelFor(settings, own);
    if (model === undefined)
      throw RequestError.internalError({ try: WAYS_TO_A_MODEL }, `there is no model. Try: ${WAYS_TO_A_MODEL}`);
    const mounted = await mountServers(servers, { root: cwd, env: context.terminal.env });
    const kept = await keepSession(settings, own);
    const instructions = await loadInstructions(cwd, own);
    return new EditorSession({ client, root: cwd, model, kept }, (session) =>
      composeAgent({ ...settings, servers: [...settings.servers, ...mounted] }, own, {
        model,
        kept: kept.parts,
        context: instructions,
        ask: session.#modes.wrapAsk(session.#ask),
        wrapApprover: session.#modes.wrapApprover,
      }),
    );
  }

  private constructor(
    parts: { readonly client: AgentContext; readonly root: string; readonly model: Model; readonly kept: KeptSession },
    compose: (session: EditorSession) => Agent,
  ) {
    this.#client = parts.client;
    this.#root = parts.root;
    this.#model = parts.model;
    this.#kept = parts.kept;
    this.#agent = compose(this);
    this.id = this.#agent.id;
    this.#agent.subscribe((event) => this.#report(event));
  }

  /** One turn. A second prompt waits for nothing: the editor sends one at a time. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    this.#turn = new AbortController();
    const { signal } = this.#turn;
    let outcome = 'answered';
    const stop = this.#agent.subscribe((event) => {
      if (event.type === 'turn-end') ({ outcome } = event);
    });
    try {
      await this.#agent.ask(blocks.map(readBlock).join('\n\n'), { signal });
      return { stopReason: outcome === 'limit' ? 'max_turn_requests' : 'end_turn' };
    } catch (error) {
      if (signal.aborted) return { stopReason: 'cancelled' };
      throw RequestError.internalError(undefined, error instanceof Error ? error.message : String(error));
    } finally {
      stop();
      this.#turn = undefined;
      await this.#sent;
    }
  }

  cancel(): void {
    this.#turn?.abort();
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#agent.close();
    this.#kept.close();
    await this.#model.dispose?.();
  }

  #report(event: AgentEvent): void {
    for (const update of this.#toUpdates(event)) {
      const params = { sessionId: this.id, update };
      this.#sent = this.#sent
        .then(() => this.#client.notify(methods.client.session.update, params))
        .catch(() => undefined);
    }
  }

  #toUpdates(event: AgentEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'answer':
        return [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } }];
      case 'response-end': {
        const prose = event.executable ? parse(asModelText(event.text)).prose.trim() : '';
        return prose === ''
          ? []
          : [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${prose}\n` } }];
      }
      case 'call-start': {
        this.#call = { id: event.id, title: event.tag };
        const rawInput = event.arguments;
        const locations = this.#locate(event.tag);
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: event.id,
            title: event.tag,
            kind: toKind(event.verb),
            status: 'in_progress',
            locations,
            rawInput,
          },
        ];
      }
      case 'run-start':
        this.#call = { id: event.id, title: 'run' };
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: event.id,
            title: 'Run code',
            kind: 'execute',
            status: 'in_progress',
            content: [showText(`\`\`\`ts\n${event.code.trim()}\n\`\`\``)],
          },
        ];
      case 'call-end':
      case 'run-end': {
        const text = event.type === 'call-end' ? event.text : event.output;
        const status = event.ok ? 'completed' : 'failed';
        return [
          {
            sessionUpdate: 'tool_call_update',
            toolCallId: event.id,
            status,
            content: [showText(`\`\`\`\n${text}\n\`\`\``)],
          },
        ];
      }
      default:
        return [];
    }
  }

  /** Where a call looks, so that the editor can follow it. */
  #locate(tag: string): { path: string; line?: number }[] {
    const [, path, line] = /^<[\w.]+:([^\s:*?{}<>]+\.\w+)(?::(\d+))?/.exec(tag) ?? [];
    if (path === undefined) return [];
    return [{ path: resolve(this.#root, path), ...(line !== undefined && { line: Number(line) }) }];
  }

  /** Asks in the editor, with the whole change. */
  readonly #ask: AskPerson = async (request, signal) => {
    const change = (await request.preview?.()) ?? JSON.stringify(request.args, undefined, 2);
    const toolCall = {
      toolCallId: this.#call?.id ?? request.tag,
      title: nameRequest(request),
      kind: toKind(request.tool),
      content: [showText(fence(makeVisible(change), 'diff'))],
    };
    await this.#sent;
    const { outcome } = await this.#client.request<RequestPermissionResponse>(
      methods.client.session.requestPermission,
      { sessionId: this.id, toolCall, options: listOptions(request) },
      { cancellationSignal: signal },
    );
    if (outcome.outcome === 'cancelled') return undefined;
    const isAllowed = outcome.optionId.startsWith('allow');
    return {
      decision: isAllowed ? 'allow' : 'deny',
      ...(outcome.optionId === 'allow-tool' && { remember: 'tool' as const }),
    };
  };
}

/** What is remembered of a command is the command. */
function listOptions({ target, files }: ApprovalRequest): PermissionOption[] {
  if (files !== undefined)
    return [
      { optionId: 'allow', name: 'Allow all of it', kind: 'allow_once' },
      { optionId: 'deny', name: 'Refuse', kind: 'reject_once' },
    ];
  const what = target.startsWith('command:') ? 'exactly this' : 'this tool';
  return [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'allow-tool', name: `Allow ${what} in this session`, kind: 'allow_always' },
    { optionId: 'deny', name: 'Refuse', kind: 'reject_once' },
  ];
}

/** A text as a block of Markdown that it cannot end. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

function nameRequest({ space, tool, target, reason, files }: ApprovalRequest): string {
  if (files !== undefined) return `${space}: run changes ${files.map(({ path }) => path).join(', ')}`;
  return `${space}: ${tool} ${target}${reason === undefined ? '' : ` (${reason})`}`;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  write: 'edit',
  edit: 'edit',
  glob: 'search',
  grep: 'search',
  search: 'search',
  references: 'search',
  delete: 'delete',
  remove: 'delete',
  move: 'move',
  rename: 'edit',
  test: 'execute',
  check: 'execute',
  run_script: 'execute',
};

function toKind(tool: string): ToolKind {
  return Object.hasOwn(KINDS, tool) ? KINDS[tool]! : 'other';
}

function showText(text: string) {
  return { type: 'content' as const, content: { type: 'text' as const, text } };
}

/** A part of a prompt as text; what is attached is named, with its text where the editor sends it. */
function readBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `Attached: ${toPath(block.uri)}`;
  if (block.type === 'resource' && 'text' in block.resource)
    return `Attached: ${toPath(block.resource.uri)}\n\n${block.resource.text}`;
  return `(attached: ${block.type}, which cannot be read here)`;
}

function toPath(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return basename(uri);
  }
}
