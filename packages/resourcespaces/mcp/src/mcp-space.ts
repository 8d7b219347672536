import {
  ApprovalError,
  BaeError,
  tool,
  type SpaceDefinition,
  type SpaceFactory,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import { formatQuantity } from '@bae/workspace';
import type { Prompt, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { groupTools } from './group-tools.ts';
import { makeResources } from './server-resources.ts';
import { ServerConnection, type ServerFacts, type ServerPlace } from './server-connection.ts';
import type { ServerSettings } from './server-settings.ts';
import { listNamedFiles, oneLine, renderBlock, toOutput } from './tool-result.ts';
import { listParameterDocs, toParameters, findTextParameter } from './tool-parameters.ts';
import { describeToolsChange, diffTools, hashTools, type ToolsChange } from './tools-change.ts';

/** Information about a server from its last use. */
export interface KnownServer extends Pick<ServerFacts, 'tools'>, Partial<Omit<ServerFacts, 'tools'>> {
  /** SHA-256 of the tools that the user allowed; empty if the server has never answered. */
  readonly pin: string;
}

/** Stores information about a server between sessions. */
export interface ServerMemory {
  read(): KnownServer | undefined;
  write(known: KnownServer): void;
}

export interface ServerOptions {
  /** The name of the place. */
  readonly name: string;
  /** The user's name for the server, if a place cannot have that name. Default: the name of the place. */
  readonly title?: string;
  readonly settings: ServerSettings;
  readonly place: ServerPlace;
  /** Default: nothing is known at the start, and nothing is stored. */
  readonly memory?: ServerMemory;
  /**
   * True to trust the server's annotations, such as that a tool only reads or stays on this machine. Default: every
   * tool is treated as leaving the machine.
   */
  readonly trusted?: boolean;
  /** The command with which the user allows tools that have changed: `bae trust box`. Default: only a call asks. */
  readonly renewal?: string;
}

/**
 * Creates a place for a server of the Model Context Protocol: its tools are those of the place, and its resources and
 * prompts are child places. The server is started when the place is entered or one of its tools is called.
 */
export function mcpServer(options: ServerOptions): SpaceFactory {
  return { name: options.name, create: () => new ServerSpace(options).definition };
}

/**
 * Asks an unknown server for its tools, so that calls of them are recognised from the first response on. A server that
 * does not answer is asked again when it is entered.
 *
 * @returns the reason why it did not answer, in one line; undefined if it did
 */
export async function learnTools(
  options: ServerOptions & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { memory } = options;
  const { pin: allowed = '' } = memory?.read() ?? {};
  try {
    const { change, allow } = await offerTools(options);
    // Tools that differ from those that the user allowed are for the user to allow.
    if (allowed === '' || change === undefined) allow();
    return undefined;
  } catch (error) {
    if (allowed === '') memory?.write({ tools: [], pin: '' });
    return oneLine(error instanceof Error ? error.message : String(error));
  }
}

/** Returns what is known of a server whose user allowed other tools than these; undefined if not. */
function findOtherAllowed(known: KnownServer | undefined, pin: string): KnownServer | undefined {
  return known !== undefined && known.pin !== '' && known.pin !== pin ? known : undefined;
}

/** The tools of a server as they are now, for the decision of the user. */
export interface OfferedTools {
  /** Differences from the tools that the user allowed; undefined if there are none. */
  readonly change: ToolsChange | undefined;
  /** Remembers that the user allows these tools. */
  readonly allow: () => void;
}

/** Asks a server for its tools, and compares them with those that the user allowed. @throws ServerError */
export async function offerTools(options: ServerOptions & { readonly signal: AbortSignal }): Promise<OfferedTools> {
  const { name, settings, place, memory, signal } = options;
  const connection = new ServerConnection(name, settings, { place, onChange: () => undefined });
  try {
    const facts = await connection.describe(signal);
    const { pin: allowed = '', tools = [] } = memory?.read() ?? {};
    const pin = hashTools(facts.tools);
    return {
      change: allowed === pin ? undefined : diffTools(tools, facts.tools),
      allow: () => memory?.write({ ...facts, pin }),
    };
  } finally {
    await connection.close();
  }
}

/** Matches a name that is safe in a sentence written by bae. */
const PLAIN = /^[\w .@/-]{1,60}$/;

class ServerSpace {
  readonly definition: SpaceDefinition;
  readonly #options: ServerOptions;
  readonly #connection: ServerConnection;
  #tools: Readonly<Record<string, ToolDefinition>> = {};
  #known: Omit<KnownServer, 'pin'> = { tools: [] };
  #isStale = true;
  /** Child places for resources and prompts. */
  #others: Readonly<Record<string, SpaceDefinition>> = {};
  /** Child places for its tools, if there are many. */
  #groups: Readonly<Record<string, SpaceDefinition>> = {};
  /** Differences from the tools that the user allowed, if there are any. */
  #change: ToolsChange | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { name, title = name, settings, place } = options;
    const onChange = (): void => void (this.#isStale = true);
    this.#connection = new ServerConnection(name, settings, { place, onChange });
    const known = options.memory?.read();
    if (known !== undefined) this.#take(known);
    const getTools = () => this.#tools;
    this.definition = {
      name,
      description: `The tools of the MCP server ${PLAIN.test(title) ? title : name}.`,
      isForeign: true,
      get tools() {
        return getTools();
      },
      enter: () => this.#enter(),
      children: () => ({ ...this.#groups, ...this.#others }),
      status: () => (this.#known.tools.length === 0 ? {} : { tools: this.#known.tools.length }),
      dispose: () => this.#connection.close(),
    };
  }

  /** Time limit of one call, in milliseconds. */
  get #callMs(): number {
    return this.#options.settings.timeout ?? 60_000;
  }

  async #enter(): Promise<string> {
    await this.#refresh(AbortSignal.timeout(60_000));
    const { title = '', tools, leftOut = '' } = this.#known;
    const shown = PLAIN.test(title) ? title : this.#options.name;
    const count = `${formatQuantity(tools.length, 'tool')} of ${shown}.`;
    return [count, leftOut, this.#describeChange()].filter((text) => text !== '').join(' ');
  }

  #describeChange(): string {
    if (this.#change === undefined) return '';
    const { renewal } = this.#options;
    const asks = 'the next call asks for consent to all of them';
    const where = renewal === undefined ? asks : `${asks}, or the user allows them with: ${renewal}`;
    return `Its tools are not those that you allowed (${describeToolsChange(this.#change)}): ${where}`;
  }

  /** Reads the tools, resources and prompts of the server, if they are unknown or have changed. */
  async #refresh(signal: AbortSignal): Promise<void> {
    if (!this.#isStale) return;
    const facts = await this.#connection.describe(signal);
    this.#isStale = false;
    this.#take(facts);
    const { memory } = this.#options;
    const pin = hashTools(facts.tools);
    const allowed = findOtherAllowed(memory?.read(), pin);
    this.#change = allowed && diffTools(allowed.tools, facts.tools);
    if (allowed === undefined) memory?.write({ ...facts, pin });
  }

  #take(known: Omit<KnownServer, 'pin'>): void {
    this.#known = known;
    const { tools, prompts = [], hasResources = false } = known;
    const { folder } = this.#options.place;
    this.#others = {
      ...(hasResources && { resources: makeResources(this.#connection, { timeoutMs: this.#callMs, folder }) }),
      ...(prompts.length > 0 && { prompts: this.#makePrompts(prompts) }),
    };
    const names = nameTools(tools, this.#options.name);
    const made = new Map(tools.map((one, index) => [names[index]!, this.#makeTool(names[index]!, one)]));
    const pick = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, made.get(name)!]));
    const { '': own = [], ...groups } = Object.fromEntries(groupTools(names));
    this.#tools = pick(own);
    this.#groups = Object.fromEntries(
      Object.entries(groups).map(([noun, some]) => {
        const name = RESERVED.has(noun) || NO_PLACES.has(noun) || made.has(noun) ? `${noun}_tools` : noun;
        return [name, this.#makeGroup(name, pick(some))];
      }),
    );
  }

  /** Creates a child place for some of the tools, refreshed together with that of the server. */
  #makeGroup(name: string, tools: Readonly<Record<string, ToolDefinition>>): SpaceDefinition {
    const names = Object.keys(tools);
    const shown = names.slice(0, 3).join(', ');
    return {
      name,
      description: `${names.length} tools: ${shown}${names.length > 3 ? ', …' : '.'}`,
      tools,
      enter: async () => {
        await this.#refresh(AbortSignal.timeout(60_000));
        return this.#describeChange();
      },
      children: () => ({}),
    };
  }

  #makeTool(name: string, { name: original, title, description, inputSchema, annotations }: Tool): ToolDefinition {
    const { trusted = false } = this.#options;
    const words = oneLine(description ?? title ?? '') || `The result of ${original}.`;
    const text = name === original ? (description ?? words) : `${words} (${original})`;
    const invoke = async (args: Readonly<Record<string, unknown>>, context: ToolContext) => {
      await this.#confirmTools(context);
      const call = { name: original, arguments: { ...args } };
      const { name: server, place } = this.#options;
      const help = helpOf(name, context);
      const result = await this.#connection.callTool(call, context, help);
      for (const file of listNamedFiles(result.content, place.folder)) context.files.add(file);
      return toOutput(result, { server, help });
    };
    const effect = trusted ? readEffect(annotations) : 'external';
    // First, because consent to a call that is then refused is worth nothing.
    const target = async (args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<string> => {
      await this.#confirmTools(context);
      const value = args[context.definition.spec.params.find(({ body }) => body !== true)?.name ?? ''];
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const timeoutMs = this.#callMs;
    return tool(text.trim() || words, () => toParameters(inputSchema), invoke, {
      effect,
      target,
      timeoutMs,
      explainTimeout: (ms) => this.#connection.explainTimeout(name, ms),
      parameterDocs: () => listParameterDocs(inputSchema),
      mayBeBody: () => findTextParameter(inputSchema),
      ...readDetails(annotations, trusted),
    }).named(name);
  }

  /**
   * Requests consent again if the tools differ from those that the user allowed.
   *
   * @throws ApprovalError when it is refused; if no one was there to ask, with the command that allows them
   */
  async #confirmTools({ definition, requestApproval, signal }: ToolContext): Promise<void> {
    await this.#refresh(signal);
    if (this.#change === undefined) return;
    const { name, memory, renewal } = this.#options;
    const pin = hashTools(this.#known.tools);
    // The user may have allowed them in the meantime.
    if (memory?.read()?.pin !== pin) {
      const changes = describeToolsChange(this.#change);
      try {
        await requestApproval(`the tools of ${name} are not those that you allowed (${changes})`, name);
      } catch (error) {
        const isUnanswered = BaeError.is(error) && 'isUnanswered' in error && error.isUnanswered === true;
        if (!isUnanswered || renewal === undefined) throw error;
        throw new ApprovalError(
          `${definition.name} was not called: the tools of ${name} are not those that the user allowed (${changes}), and no one is here to allow them.`,
          [`${renewal} (the user runs it)`],
        );
      }
      memory?.write({ ...this.#known, pin });
    }
    this.#change = undefined;
  }

  #makePrompts(prompts: readonly Prompt[]): SpaceDefinition {
    const { name: server } = this.#options;
    const names = nameTools(prompts, server);
    const tools = prompts.map(({ name: original, description, arguments: fields = [] }, index) => {
      const shape = fields.map((field) => {
        const value = z.string().meta({ description: field.description ?? field.name });
        return [field.name, field.required === true ? value : value.optional()] as const;
      });
      const run = async (args: Readonly<Record<string, unknown>>, context: ToolContext) => {
        const sent = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]));
        const { messages } = await this.#connection.use(
          (client) => client.getPrompt({ name: original, arguments: sent }, { signal: context.signal }),
          context.signal,
          helpOf(names[index]!, context),
        );
        return messages.map(({ role, content }) => `${role}: ${renderBlock(content)}`).join('\n\n');
      };
      const text = oneLine(description ?? '') || `The prompt ${original}.`;
      return [
        names[index]!,
        tool(text, Object.fromEntries(shape), run, {
          effect: 'read',
          timeoutMs: this.#callMs,
          explainTimeout: (ms) => this.#connection.explainTimeout(names[index]!, ms),
        }).named(names[index]!),
      ] as const;
    });
    return {
      name: 'prompts',
      description: `Prompts of the server ${server}.`,
      tools: Object.fromEntries(tools),
      enter: () => '',
      children: () => ({}),
    };
  }
}

/** Returns the call that explains a tool. */
function helpOf(name: string, { space }: ToolContext): string {
  return `<${space}.help:${name}>`;
}

function readEffect({
  readOnlyHint,
  destructiveHint,
  openWorldHint,
}: Tool['annotations'] = {}): ToolDefinition['effect'] {
  if (readOnlyHint === true) return 'read';
  return openWorldHint === false && destructiveHint === false ? 'write' : 'external';
}

/** Reads annotations: warnings are accepted from any server, reassurances only from a trusted one. */
function readDetails({ destructiveHint, idempotentHint, openWorldHint }: Tool['annotations'] = {}, trusted: boolean) {
  return {
    ...(destructiveHint === true && { destructive: true }),
    ...(openWorldHint === true && { openWorld: true }),
    ...(trusted && idempotentHint === true && { idempotent: true }),
  };
}

/** Names that have another meaning in calls. */
const RESERVED: ReadonlySet<string> = new Set([
  'home',
  'back',
  'up',
  'nav',
  'where',
  'help',
  'ai',
  'store',
  'go',
  'run',
  'result',
  'r',
  'w',
  'e',
  'g',
]);

/** Names of tools that must not be names of places. */
const NO_PLACES: ReadonlySet<string> = new Set(['group', 'read', 'write', 'edit', 'glob', 'grep']);

/** Converts a server's names of its tools to unique identifiers. */
function nameTools(tools: readonly { readonly name: string }[], server: string): readonly string[] {
  const used = new Set<string>();
  return tools.map(({ name }) => {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
    const allowed = RESERVED.has(plain.toLowerCase()) ? `${server}_${plain}` : plain;
    let unique = allowed;
    for (let count = 2; used.has(unique); count++) unique = `${allowed}_${count}`;
    used.add(unique);
    return unique;
  });
}
