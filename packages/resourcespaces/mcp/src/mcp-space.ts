import { createHash } from 'node:crypto';
import {
  findNearestName,
  ResourceError,
  tool,
  type SpaceDefinition,
  type SpaceFactory,
  type SearchHit,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import type { Prompt, Tool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { groupTools } from './group-tools.ts';
import { ServerConnection, type ServerPlace } from './server-connection.ts';
import type { ServerSettings } from './server-settings.ts';
import { toParameters } from './tool-parameters.ts';
import { joinBlocks, renderBlock, toOutput } from './tool-result.ts';

/** What was known about a server when it was last used. */
export interface KnownServer {
  /** Its tools as it declared them. */
  readonly tools: readonly Tool[];
  /** SHA-256 of the tools that the user allowed; empty while the server has never answered. */
  readonly pin: string;
}

/** Keeps what is known about servers between sessions. */
export interface ServerMemory {
  read(): KnownServer | undefined;
  write(known: KnownServer): void;
}

export interface ServerOptions {
  /** The name of the place. */
  readonly name: string;
  /** The name that people gave the server, where a place cannot have it. Default: the name of the place. */
  readonly title?: string;
  readonly settings: ServerSettings;
  readonly place: ServerPlace;
  /** Default: nothing is known at the start, and nothing is kept. */
  readonly memory?: ServerMemory;
  /**
   * True to believe what the server says of its tools: that one only reads, or stays on this machine. Default: every
   * tool leaves the machine.
   */
  readonly trusted?: boolean;
}

/**
 * A server of the Model Context Protocol as a place: its tools are those of the place, its resources and prompts are below
 * it. The server is started when the place is entered or one of its tools is called.
 */
export function mcpServer(options: ServerOptions): SpaceFactory {
  return { name: options.name, create: () => new ServerSpace(options).definition };
}

/**
 * Asks a server that nothing is known about for its tools, so that calls of them are recognised from the first response
 * on. A server that does not answer is asked again when it is entered.
 *
 * @returns why it did not answer, in one line; undefined when it did
 */
export async function learnTools(
  options: ServerOptions & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { name, settings, place, memory, signal } = options;
  const connection = new ServerConnection(name, settings, { place, onChange: () => undefined });
  try {
    const tools = await connection.listTools(signal);
    memory?.write({ tools, pin: hashTools(tools) });
    return undefined;
  } catch (error) {
    memory?.write({ tools: [], pin: '' });
    return oneLine(error instanceof Error ? error.message : String(error));
  } finally {
    await connection.close();
  }
}

/** A name that can stand in a sentence of ours. */
const PLAIN = /^[\w .@/-]{1,60}$/;

class ServerSpace {
  readonly definition: SpaceDefinition;
  readonly #options: ServerOptions;
  readonly #connection: ServerConnection;
  #tools: Readonly<Record<string, ToolDefinition>> = {};
  #listed: readonly Tool[] = [];
  #isStale = true;
  /** What the server has besides tools, once it was reached. */
  #about = '';
  /** Places of what it has besides tools. */
  #others: Readonly<Record<string, SpaceDefinition>> = {};
  /** Places of its tools, when they are many. */
  #groups: Readonly<Record<string, SpaceDefinition>> = {};
  /** True while the tools are not those that the user allowed. */
  #isChanged = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { name, title = name, settings, place } = options;
    const onChange = (): void => void (this.#isStale = true);
    this.#connection = new ServerConnection(name, settings, { place, onChange });
    const known = options.memory?.read();
    if (known !== undefined) this.#takeTools(known.tools);
    const getTools = () => this.#tools;
    this.definition = {
      name,
      description: `The tools of the MCP server ${PLAIN.test(title) ? title : name}.`,
      get tools() {
        return getTools();
      },
      enter: () => this.#enter(),
      children: () => ({ ...this.#groups, ...this.#others }),
      status: () => (this.#listed.length === 0 ? {} : { tools: this.#listed.length }),
      dispose: () => this.#connection.close(),
    };
  }

  async #enter(): Promise<string> {
    await this.#refresh(AbortSignal.timeout(60_000));
    return `${this.#about}${this.#describeChange()}`;
  }

  #describeChange(): string {
    return this.#isChanged ? ' Its tools are not those that you allowed: the next call asks.' : '';
  }

  /** Asks for the tools where they are not known, or have changed. */
  async #refresh(signal: AbortSignal): Promise<void> {
    if (!this.#isStale) return;
    const tools = await this.#connection.listTools(signal);
    this.#isStale = false;
    this.#takeTools(tools);
    const { memory } = this.#options;
    const known = memory?.read();
    const pin = hashTools(tools);
    this.#isChanged = known !== undefined && known.pin !== '' && known.pin !== pin;
    if (!this.#isChanged) memory?.write({ tools, pin });
    await this.#connection.use(async (client) => {
      const capabilities = client.getServerCapabilities();
      const { name = this.#options.name, version = '' } = client.getServerVersion() ?? {};
      this.#about = `${tools.length === 1 ? '1 tool' : `${tools.length} tools`} of ${oneLine(`${name} ${version}`)}.`;
      const prompts =
        capabilities?.prompts === undefined ? [] : (await client.listPrompts(undefined, { signal })).prompts;
      this.#others = {
        ...(capabilities?.resources && { resources: this.#makeResources() }),
        ...(prompts.length > 0 && { prompts: this.#makePrompts(prompts) }),
      };
    }, signal);
  }

  #takeTools(tools: readonly Tool[]): void {
    this.#listed = tools;
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

  /** A place for some of the tools. It is as new as that of the server. */
  #makeGroup(name: string, tools: Readonly<Record<string, ToolDefinition>>): SpaceDefinition {
    const names = Object.keys(tools);
    const shown = names.slice(0, 3).join(', ');
    return {
      name,
      description: `${names.length} tools: ${shown}${names.length > 3 ? ', …' : '.'}`,
      tools,
      enter: async () => {
        await this.#refresh(AbortSignal.timeout(60_000));
        return this.#describeChange().trim();
      },
      children: () => ({}),
    };
  }

  #makeTool(name: string, { name: original, title, description, inputSchema, annotations }: Tool): ToolDefinition {
    const { trusted = false, settings } = this.#options;
    const words = oneLine(description ?? title ?? '') || `The result of ${original}.`;
    const text = name === original ? (description ?? words) : `${words} (${original})`;
    const invoke = async (args: Readonly<Record<string, unknown>>, context: ToolContext) => {
      await this.#confirmTools(context);
      const { signal } = context;
      const call = { name: original, arguments: { ...args } };
      const result = await this.#connection.callTool(call, { signal, onProgress: context.progress, ask: context.ask });
      return toOutput(this.#options.name, result);
    };
    const effect = trusted ? readEffect(annotations) : 'external';
    const timeoutMs = settings.timeout ?? 60_000;
    return tool(text.trim() || words, toParameters(inputSchema), invoke, {
      effect,
      timeoutMs,
      ...readDetails(annotations, trusted),
    }).named(name);
  }

  /** The user allowed a server with certain tools: with others it is asked about again. */
  async #confirmTools({ requestApproval, signal }: ToolContext): Promise<void> {
    await this.#refresh(signal);
    if (!this.#isChanged) return;
    await requestApproval(`the tools of ${this.#options.name} are not those that you allowed`);
    this.#options.memory?.write({ tools: this.#listed, pin: hashTools(this.#listed) });
    this.#isChanged = false;
  }

  #makeResources(): SpaceDefinition {
    const { name } = this.#options;
    const list = (signal: AbortSignal) =>
      this.#connection.use(async (client) => (await client.listResources(undefined, { signal })).resources, signal);
    const read = async ({ target }: { readonly target: string }, { signal }: ToolContext) => {
      if (target === '') return renderResources(await list(signal));
      const known = await list(signal);
      const uri = known.find((one) => one.uri === target || one.name === target)?.uri ?? target;
      if (!URL.canParse(uri)) {
        const nearest =
          findNearestName(
            target,
            known.map((one) => one.uri),
          ) ?? known[0]?.uri;
        throw new ResourceError(`${name} has no resource ${target}.`, [
          nearest === undefined ? '<R:>' : `<R:${nearest}>`,
        ]);
      }
      const { contents } = await this.#connection.use((client) => client.readResource({ uri }, { signal }), signal);
      return joinBlocks(contents.map((resource) => ({ type: 'resource', resource })));
    };
    const params = {
      target: z
        .string()
        .default('')
        .meta({ description: 'Address of a resource', examples: [''] }),
    };
    return {
      name: 'resources',
      description: `What the server ${name} has to read.`,
      tools: { read: tool('A resource, or all of them.', params, read).named('read') },
      enter: () => '',
      children: () => ({}),
      search: async (query, limit) => findResources(await list(AbortSignal.timeout(SEARCH_MS)), query).slice(0, limit),
    };
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
        );
        return messages.map(({ role, content }) => `${role}: ${renderBlock(content)}`).join('\n\n');
      };
      const text = oneLine(description ?? '') || `The prompt ${original}.`;
      return [
        names[index]!,
        tool(text, Object.fromEntries(shape), run, { effect: 'read' }).named(names[index]!),
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

/** Longest wait for the names of resources, in a search of every place. */
const SEARCH_MS = 3000;

/** The resources whose address, name or description has every word. */
function findResources(
  resources: readonly { readonly uri: string; readonly name: string; readonly description?: string | undefined }[],
  query: string,
): readonly SearchHit[] {
  const words = query.toLowerCase().split(/\s+/);
  return resources
    .map(({ uri, name, description }) => ({ target: uri, text: oneLine(`${name} ${description ?? ''}`) }))
    .filter(({ target, text }) => words.every((word) => `${target} ${text}`.toLowerCase().includes(word)));
}

function renderResources(
  resources: readonly { readonly uri: string; readonly name: string; readonly description?: string | undefined }[],
): string {
  if (resources.length === 0) return '(no resources)';
  return resources.map(({ uri, name, description }) => `${uri} -- ${oneLine(description ?? name)}`).join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function readEffect({
  readOnlyHint,
  destructiveHint,
  openWorldHint,
}: Tool['annotations'] = {}): ToolDefinition['effect'] {
  if (readOnlyHint === true) return 'read';
  return openWorldHint === false && destructiveHint === false ? 'write' : 'external';
}

/** What makes people careful is believed of any server, and what reassures them of a trusted one only. */
function readDetails({ destructiveHint, idempotentHint, openWorldHint }: Tool['annotations'] = {}, trusted: boolean) {
  return {
    ...(destructiveHint === true && { destructive: true }),
    ...(openWorldHint === true && { openWorld: true }),
    ...(trusted && idempotentHint === true && { idempotent: true }),
  };
}

/** Names that mean something else where tools are called. */
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

/** Names of tools that no place may have. */
const NO_PLACES: ReadonlySet<string> = new Set(['group', 'read', 'write', 'edit', 'glob', 'grep']);

/** Identifiers for what a server calls its tools, each another one. */
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

function hashTools(tools: readonly Tool[]): string {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parts = sorted.map(({ name, description, inputSchema, annotations }) => [
    name,
    description,
    inputSchema,
    annotations,
  ]);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
