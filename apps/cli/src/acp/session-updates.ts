import { resolve } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind, PlanEntry } from '@agentclientprotocol/sdk';
import type { AgentEvent, ApprovalRequest } from '@bae/core';
import { splitRange } from '@bae/core/pipeline';
import { getPathKind } from '../config/disk.ts';
import { describeBreak, fenceCode } from '../shell/transcript.ts';
import { readTyped } from '../views/read-prose.ts';
import { StreamedProse } from '../views/streamed-prose.ts';
import { TaskClient, type Task } from '@bae/tasks';

/** Minimum time between two readings of a partial response, in milliseconds. */
const EVERY_MS = 50;
/** Notices that the user must see. */
const TOLD = new Set<string>(['limit', 'retry', 'masked']);

interface SessionText {
  readonly root: string;
  /** Extracts the prose of a response, without misspelt calls if another response follows that mends them. */
  readonly prose: (text: string, isMended?: boolean) => string;
}

/** Converts the events of a session to updates for an editor. */
export class SessionUpdates {
  readonly #root: string;
  readonly #prose: SessionText['prose'];
  readonly #written: StreamedProse;
  /** Part of the current message that was sent. */
  #sent = '';
  #message = 0;
  #readAt = 0;
  /** Calls whose changes are shown instead of their results, which say less. */
  readonly #changed = new Set<string>();

  constructor({ root, prose }: SessionText) {
    this.#root = root;
    this.#prose = prose;
    this.#written = new StreamedProse((text) => prose(text, true));
  }

  of(event: AgentEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'turn-start':
        // The last response may have been cut off.
        this.#written.clear();
        return [];
      case 'response-delta':
        return this.#stream(event.text);
      case 'response-end':
        return this.#endMessage(this.#prose(event.text, event.executable).trimEnd());
      case 'answer':
        // A turn that was stopped at a limit ends with different text than the last response.
        return this.#prose(event.text).trimEnd() === this.#sent ? [] : this.#endMessage(event.text);
      case 'call-start': {
        const { id, tag, verb } = event;
        const kind = toKind(verb);
        const shown = { toolCallId: id, title: tag, kind, status: 'in_progress' as const, rawInput: event.arguments };
        return [{ sessionUpdate: 'tool_call', ...shown, locations: this.#locate(event) }];
      }
      case 'call-progress':
        return [{ sessionUpdate: 'tool_call_update', toolCallId: event.id, content: [showText(describe(event))] }];
      case 'run-start': {
        const content = [showCode(event.code, 'ts')];
        const shown = { toolCallId: event.id, title: 'Run code', kind: 'execute' as const, content };
        return [{ sessionUpdate: 'tool_call', ...shown, status: 'in_progress' }];
      }
      case 'call-end':
        return [this.#end(event, event.ok && this.#changed.has(event.id) ? undefined : [showCode(event.text)])];
      case 'run-end': {
        const output = event.output === '' ? [] : [showCode(event.output)];
        return [this.#end(event, [showCode(event.code, 'ts'), ...output])];
      }
      case 'notice':
        // Discards the partial response, because a new one is requested.
        if (event.code === 'retry') this.#written.clear();
        return TOLD.has(event.code) ? [{ sessionUpdate: 'agent_thought_chunk', content: toTextBlock(event.text) }] : [];
      default:
        return [];
    }
  }

  /** Converts an event of an earlier session, including its prompts. */
  replay(event: AgentEvent): readonly SessionUpdate[] {
    const updates = this.of(event);
    if (event.type === 'turn-end' && event.unfinished !== undefined)
      return this.#endMessage(`${this.#prose(event.unfinished).trim()} ${describeBreak(event)}`.trimStart());
    if (event.type !== 'turn-start') return updates;
    return [{ sessionUpdate: 'user_message_chunk', content: toTextBlock(readTyped(event.prompt)) }];
  }

  /** Creates the update with the files that a call is about to change, before the user is asked. */
  ofChange(id: string, { texts, touches = [] }: ApprovalRequest): SessionUpdate | undefined {
    const content = listDiffs(this.#root, texts?.() ?? []);
    if (content.length === 0) return undefined;
    this.#changed.add(id);
    const locations = touches.map((path) => ({ path: resolve(this.#root, path) }));
    return { sessionUpdate: 'tool_call_update', toolCallId: id, content, locations };
  }

  #end(event: Extract<AgentEvent, { type: 'call-end' | 'run-end' }>, content: ToolCallContent[] | undefined) {
    const { id, ok } = event;
    const hasFailed = !ok || ('failed' in event && event.failed);
    const status = hasFailed ? 'failed' : 'completed';
    return { sessionUpdate: 'tool_call_update', toolCallId: id, status, ...(content && { content }) } as const;
  }

  #stream(text: string): readonly SessionUpdate[] {
    if (this.#written.isEmpty) this.#sent = '';
    this.#written.add(text);
    const now = performance.now();
    if (now - this.#readAt < EVERY_MS) return [];
    this.#readAt = now;
    return this.#say(this.#written.read().trimEnd());
  }

  /** Returns updates for the part of a message that was not sent yet. */
  #say(prose: string): readonly SessionUpdate[] {
    if (!prose.startsWith(this.#sent) || prose === this.#sent) return [];
    if (this.#sent === '') this.#message++;
    const content = toTextBlock(prose.slice(this.#sent.length));
    this.#sent = prose;
    return [{ sessionUpdate: 'agent_message_chunk', content, messageId: String(this.#message) }];
  }

  #endMessage(prose: string): readonly SessionUpdate[] {
    // A response that was interrupted, or whose whole prose is different, is a new message.
    if (!this.#written.isEmpty && !prose.startsWith(this.#sent)) this.#sent = '';
    if (this.#written.isEmpty) this.#sent = '';
    this.#written.clear();
    const rest = this.#say(prose);
    this.#sent = prose;
    return rest;
  }

  /** Finds the location of a call, so that the editor can follow it: a file, and the first requested line. */
  #locate(event: Extract<AgentEvent, { type: 'call-start' }>): ToolCallLocation[] {
    const { arg } = event.arguments;
    if (typeof arg !== 'string' || arg === '' || event.space !== 'home') return [];
    const split = splitRange(arg);
    if ('error' in split) return [];
    const path = resolve(this.#root, split.target);
    if (!path.startsWith(`${this.#root}/`)) return [];
    if (event.verb !== 'write' && getPathKind(path) !== 'file') return [];
    return [{ path, ...(split.range !== null && { line: split.range[0] }) }];
  }
}

/** Lists the diffs of changed files for an editor, which cannot show a removed file. */
export function listDiffs(root: string, texts: ReturnType<NonNullable<ApprovalRequest['texts']>>): ToolCallContent[] {
  return texts.map(({ path, before, after }) => ({
    type: 'diff',
    path: resolve(root, path),
    oldText: before,
    newText: after ?? '',
  }));
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  help: 'read',
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
  exec: 'execute',
  sh: 'execute',
};

export function toKind(tool: string): ToolKind {
  return Object.hasOwn(KINDS, tool) ? KINDS[tool]! : 'other';
}

function describe({ done, total, text }: Extract<AgentEvent, { type: 'call-progress' }>): string {
  return `${done}${total === undefined ? '' : ` of ${total}`}${text === undefined ? '' : ` ${text}`}`;
}

function toTextBlock(text: string) {
  return { type: 'text' as const, text };
}

export function showText(text: string): ToolCallContent {
  return { type: 'content', content: toTextBlock(text) };
}

export function showCode(text: string, language = ''): ToolCallContent {
  return showText(fenceCode(language, text));
}

/** Maximum number of tasks that an editor shows at once. */
const MOST = 50;

/** Tasks of a folder as the plan of an editor: open tasks, and those finished since they were first read. */
export class TaskPlan {
  readonly #file: string;
  readonly #known = new Map<number, PlanEntry>();

  /** @param file the file of the tasks, which may be missing */
  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the current plan; undefined if there is none. */
  async read(): Promise<SessionUpdate | undefined> {
    if (getPathKind(this.#file) !== 'file') return undefined;
    const client = new TaskClient({ file: this.#file, caller: 'user' });
    try {
      const result = await client.call('read', { target: '' }, MOST);
      if (result.kind !== 'list') return undefined;
      const active = new Map(result.page.tasks.map((task) => [task.id, toEntry(task)]));
      for (const [id, entry] of this.#known)
        if (!active.has(id)) this.#known.set(id, { ...entry, status: 'completed' });
      for (const [id, entry] of active) this.#known.set(id, entry);
    } finally {
      await client.close();
    }
    return this.#known.size === 0 ? undefined : { sessionUpdate: 'plan', entries: [...this.#known.values()] };
  }
}

function toEntry({ title, status, priority }: Task): PlanEntry {
  const status_ = status === 'in_progress' ? 'in_progress' : 'pending';
  return { content: title, status: status_, priority: LEVELS[priority.major] ?? 'low' };
}

const LEVELS: readonly (PlanEntry['priority'] | undefined)[] = ['high', 'high', 'medium'];
