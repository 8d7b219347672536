import { allowAll, createAgent, type Host, type Message } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { readServers, writeDefinition, type Server, type ServerTool } from '../servers/mounted-servers.ts';
import { serveServers, type ServedServers } from '../servers/served-servers.ts';
import type { Measurement } from './measure.ts';
import { findNamedTools } from '../servers/named-tools.ts';
import { createToolSearch, splitWords } from './rank-tools.ts';
import { SESSION_SCRIPTS, type SessionScript } from './session-scripts.ts';
import { TextCosts, type TextKind, type TextScope } from './text-costs.ts';

// What the texts about tools cost over whole sessions, in input tokens of o200k. Every request resends all that came
// before it, so a text counts once for each request that has it. The same 746 tools of 38 servers are offered in three ways:
//
// - flat: every definition is in every request.
// - search: definitions are deferred, as Anthropic documents it for its tool search tool. The definition of that tool is
//   in every request. A search puts the definitions that it finds, three to five, into the conversation, where they stay.
//   It is assumed to work at its best: the wanted tool is among the first at once, a tool that an earlier search brought
//   is not searched for again, and the search runs at the provider within the request that needs it.
// - places: an agent as it is, with the servers mounted as the command `bae` mounts them, and a scripted model. The
//   model enters the place of a server and then, where its tools are divided, the place that has the tool. It asks for
//   the list of tools if the one it wants is not named there, asks for help on a tool that has no line or takes JSON, one
//   at a time, and calls tools of a place that it has left from where it is. Each of these is one more request, with
//   everything before it.
//
// Prompt, calls and results are the same in all three. Calls count as JSON of name and input, without the ids and types
// around it, for flat and search; for places as the tags, frames and locations that are really sent. What the provider adds
// to the system prompt when a request has tools, some hundred tokens according to it, does not count either.
//
// Of everything that is sent with places, prompt and results are more than half, so no saving in the texts about tools
// brings everything below what searching costs by more than the factor that `sessionSums` names.

/** What Anthropic states for the definition of the search tool, in tokens. */
const SEARCH_TOOL_TOKENS = 500;

/** Definitions that one search brings, of three to five. */
const FOUND = 4;

/** Within the limit of a result, so that it is the same in all three. */
const RESULT = Array.from({ length: 20 }, (_, row) => `${1000 + row * 7}  2026-11-${10 + row}  open  Item ${row}`).join(
  '\n',
);

/** Session marks are always the same, so that their tokens are. */
const HOST: Host = {
  clock: performance,
  timers: globalThis,
  entropy: { getRandomValues: (bytes) => bytes.fill(0xab) },
};

/** Each of the servers twice, as people have one for each of two accounts. */
const servers: readonly Server[] = readServers().flatMap((server) => [
  server,
  { ...server, name: `${server.name}_eu` },
]);
const tools: readonly ServerTool[] = servers.flatMap((server) => server.tools);
/** A search is taken to know which account is meant: it brings no tool of the other one. */
const searchTools = createToolSearch([...new Set(tools)]);
const sizes = new Map(tools.map((tool) => [tool, countTokens(writeDefinition(tool))]));
const ALL_DEFINITIONS = tools.reduce((sum, tool) => sum + sizes.get(tool)!, 0);

/** The same session with the tools offered in three ways. */
export interface SessionSums {
  readonly script: SessionScript;
  readonly flat: TextCosts;
  readonly search: TextCosts;
  readonly places: TextCosts;
}

interface TypedResponse {
  readonly kind: TextKind;
  readonly text: string;
}

interface MadeCall {
  readonly tool: ServerTool;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Over all sessions, places cost a small part of a flat list, and much less than searching. */
export async function sessionSums(): Promise<readonly Measurement[]> {
  const all = await Promise.all(SESSION_SCRIPTS.map((script) => sumSession(script)));
  const [flat, search] = (['flat', 'search'] as const).map((way) => divideSums(all, way, 'tools'));
  // Prompts and results are the same in each way: without any other text, places would come to 2.9.
  const everything = divideSums(all, 'search', 'everything');
  return [
    { name: 'texts about tools, flat list ÷ places', value: flat!, unit: 'x', limit: { atLeast: 40 } },
    { name: 'texts about tools, tool search ÷ places', value: search!, unit: 'x', limit: { atLeast: 2.5 } },
    { name: 'everything sent, tool search ÷ places', value: everything, unit: 'x', limit: { atLeast: 1.4 } },
  ];
}

/** How many times as much as places another way costs over some sessions. */
export function divideSums(all: readonly SessionSums[], way: 'flat' | 'search', scope: TextScope): number {
  const sum = (one: 'flat' | 'search' | 'places') => all.reduce((total, sums) => total + sums[one].sum(scope), 0);
  return sum(way) / sum('places');
}

/**
 * Plays one session in all three ways.
 *
 * @param found definitions that one search brings
 */
export async function sumSession(script: SessionScript, found = FOUND): Promise<SessionSums> {
  const { costs: places, made } = await playInPlaces(script);
  return { script, flat: playFlat(script, made), search: playWithSearch(script, made, found), places };
}

function playFlat({ prompt }: SessionScript, made: readonly MadeCall[]): TextCosts {
  const costs = new TextCosts();
  costs.add('definitions', ALL_DEFINITIONS);
  costs.add('prompt and results', countTokens(prompt));
  for (const call of made) addCall(costs, call);
  costs.send();
  return costs;
}

function playWithSearch({ prompt }: SessionScript, made: readonly MadeCall[], found: number): TextCosts {
  const costs = new TextCosts();
  const loaded = new Set<ServerTool>();
  costs.add('definitions', SEARCH_TOOL_TOKENS);
  costs.add('prompt and results', countTokens(prompt));
  for (const call of made) {
    const { tool } = call;
    if (!loaded.has(tool)) {
      const query = splitWords(tool.name).join(' ');
      costs.add('definitions', countTokens(JSON.stringify({ query })));
      const hits = [tool, ...searchTools(query).filter((one) => one !== tool)].slice(0, found);
      for (const hit of hits) {
        if (!loaded.has(hit)) costs.add('definitions', sizes.get(hit)!);
        loaded.add(hit);
      }
    }
    addCall(costs, call);
  }
  costs.send();
  return costs;
}

function addCall(costs: TextCosts, { tool, args }: MadeCall): void {
  costs.send();
  costs.add('calls', countTokens(JSON.stringify({ name: tool.name, input: args })));
  costs.add('prompt and results', countTokens(RESULT));
}

/** Plays a session with a real agent, and takes what it costs from the messages that it sent. */
async function playInPlaces(script: SessionScript): Promise<{ readonly costs: TextCosts; readonly made: MadeCall[] }> {
  const made: MadeCall[] = [];
  const served = await serveServers(servers, (server) => (name, args) => {
    const tool = server.tools.find((one) => one.name === name)!;
    made.push({ tool, args: dropDefaults(tool, args) });
    return RESULT;
  });
  const kinds: TextKind[] = [];
  const responses = typeResponses(script, served);
  const respond = (messages: readonly Message[]): string => {
    const { value } = responses.next(messages.at(-1)!.text);
    if (value === undefined) return 'Done.';
    kinds.push(value.kind);
    return value.text;
  };
  // No call takes more than five requests: two to enter, for the list, for help, its own.
  const model = new ScriptedModel(Array.from({ length: script.calls.length * 5 + 1 }, () => respond));
  const agent = createAgent({ model, spaces: served.spaces, approver: allowAll, maxBatches: 0, host: HOST });
  await agent.ask(script.prompt);
  await agent.close();
  served.close();
  if (made.length !== script.calls.length) {
    throw new Error(
      `${script.name}: ${made.length} of ${script.calls.length} calls arrived.\n${model.sends.at(-1)!.at(-1)!.text}`,
    );
  }
  return { costs: addMessages(model.sends.at(-1)!, kinds, script.prompt), made };
}

/** What a model types: entries or a question before a call where it needs one, then the call. */
function* typeResponses(
  { calls }: SessionScript,
  { findPlace }: ServedServers,
): Generator<TypedResponse, void, string> {
  const screens = new Map<string, string>();
  const known = new Set<string>();
  let here = '';
  for (const { server, tag } of calls) {
    const name = /^<([\w-]+):/.exec(tag)![1]!;
    const place = findPlace(server, name);
    for (const one of [server, place]) {
      if (screens.has(one)) continue;
      screens.set(one, yield { kind: 'entries', text: `@${one}()` });
      here = one;
    }
    const prefix = here === place ? '' : `${place}.`;
    const tool = `${place}.${name}`;
    if (!known.has(tool) && !findNamedTools(screens.get(place)!).has(name)) {
      screens.set(place, screens.get(place)! + (yield { kind: 'help', text: `<${prefix}help:>` }));
    }
    if (!known.has(tool) && !showsUse(screens.get(place)!, name)) {
      yield { kind: 'help', text: `<${prefix}help:${name}>` };
    }
    known.add(tool);
    yield { kind: 'calls', text: `<${prefix}${tag.slice(1)}` };
  }
}

/** True when a screen has a line for a tool that says how to call it: what JSON it takes is said by help alone. */
function showsUse(screen: string, tool: string): boolean {
  const line = screen.split('\n').find((one) => one.startsWith(`<${tool}:`));
  return line !== undefined && !line.includes('>{"');
}

/** The costs of a conversation: system prompt, first message, then by turns responses of these kinds and their feedback. */
function addMessages(
  [system, first, ...others]: readonly Message[],
  kinds: readonly TextKind[],
  prompt: string,
): TextCosts {
  const costs = new TextCosts();
  costs.add('system prompt', countTokens(system!.text));
  costs.add('home', countTokens(first!.text) - countTokens(prompt));
  costs.add('prompt and results', countTokens(prompt));
  for (const [index, kind] of kinds.entries()) {
    costs.send();
    const shared = kind === 'calls' ? countTokens(RESULT) : 0;
    const [response, feedback] = [others[2 * index]!, others[2 * index + 1]!];
    if (kind === 'calls' && !feedback.text.includes(RESULT)) throw new Error(feedback.text);
    costs.add(kind, countTokens(response.text) + countTokens(feedback.text) - shared);
    costs.add('prompt and results', shared);
  }
  costs.send();
  return costs;
}

/** The arguments as a model writes them: without those that have the value they would have anyway. */
function dropDefaults(
  { inputSchema }: ServerTool,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = (inputSchema.properties ?? {}) as Readonly<Record<string, { readonly default?: unknown }>>;
  const given = Object.entries(args).filter(([name, value]) => {
    return JSON.stringify(value) !== JSON.stringify(properties[name]?.default);
  });
  return Object.fromEntries(given);
}
