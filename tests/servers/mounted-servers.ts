import { readdirSync, readFileSync } from 'node:fs';
import { defineResourcespace, tool, type SpaceDefinition } from '@bae/core';
import { toParameters } from '@bae/mcp';

const FOLDER = new URL('../data/mcp-tools/', import.meta.url);

/** A tool as its server declares it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** An MCP server by what it answers to `tools/list`. */
export interface Server {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly ServerTool[];
}

/** What stands in for a server's side of a call. */
export type AnswerCall = (tool: string, args: Readonly<Record<string, unknown>>) => string;

/** The definitions that 19 public servers declare, in alphabetical order. */
export function readServers(): readonly Server[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));
  return files.toSorted().map((file) => {
    const [head, ...tools] = readFileSync(new URL(file, FOLDER), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    return { ...(head as Pick<Server, 'name' | 'description'>), tools: tools as readonly ServerTool[] };
  });
}

/** Mounts a server as a place: each tool with the name, the description and the schema that the server gave it. */
export function mountServer({ name, description, tools }: Server, answer: AnswerCall): SpaceDefinition {
  const named = tools.map((one) => {
    const effect = one.annotations?.readOnlyHint === true ? 'read' : 'write';
    const params = () => toParameters(one.inputSchema);
    return [one.name, tool(one.description, params, (args) => answer(one.name, args), { effect })] as const;
  });
  return defineResourcespace({ name, description, tools: Object.fromEntries(named) });
}

/** The definition of a tool as it is sent to a model that takes tools as JSON. */
export function writeDefinition({ name, description, inputSchema }: ServerTool): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}
