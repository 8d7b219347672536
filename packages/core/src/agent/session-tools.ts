import { $ZodDefault, $ZodString } from 'zod/v4/core';
import { tool } from '../decorators/tool.ts';
import type { ResultStore } from '../protocol/result-store.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolContext } from '../protocol/tool-context.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { readResult } from '../results/read-result.ts';
import { isResultAddress } from '../results/result-address.ts';
import type { SessionAnswers } from '../tool-router/session-answers.ts';
import type { Places } from './places.ts';

const GROUP = /^\s*group:(.*)$/s;
const innerType = new $ZodString({ type: 'string' });
const PARAMS = { target: new $ZodDefault({ type: 'default', innerType, defaultValue: '' }) as $ZodDefault<$ZodString> };

/** Tools of the session itself, available everywhere: moves, kept results, the home listing, and help. */
export class SessionTools implements SessionAnswers {
  readonly #go: ToolDefinition;
  readonly #help: ToolDefinition;
  readonly #results: ToolDefinition;
  readonly #listing: ToolDefinition;

  constructor(results: ResultStore, places: Places) {
    this.#go = defineReadTool('go', 'The place you went to.', (target, context) => places.go(target, context));
    this.#help = defineReadTool('help', 'The tools here, or everything about one.', (target, { space }) =>
      places.help(space, target),
    );
    this.#results = defineReadTool('read', 'The whole of an answer that was cut.', (target) =>
      readResult(results, target),
    );
    this.#listing = defineReadTool('read', 'The spaces there are.', (target) =>
      places.list(GROUP.exec(target)?.[1]?.trim()),
    );
  }

  find(call: ToolCall, space: string): ToolDefinition | undefined {
    if (call.verb === 'go') return this.#go;
    if (call.verb === 'help') return this.#help;
    if (call.verb !== 'read') return undefined;
    if (isResultAddress(call.arg)) return this.#results;
    const takesOthers = Object.keys(call.kwargs ?? {}).some((name) => name !== 'target');
    return space === 'home' && !takesOthers && isListing(targetOf(call)) ? this.#listing : undefined;
  }
}

/** The target, which code passes by name where a tag would misread it. */
function targetOf({ arg, kwargs }: ToolCall): unknown {
  const { target = '' } = kwargs ?? {};
  return arg.trim() === '' ? target : arg;
}

function isListing(target: unknown): boolean {
  return typeof target === 'string' && (target.trim() === '' || GROUP.test(target));
}

function defineReadTool(
  name: string,
  description: string,
  run: (target: string, context: ToolContext) => object | string | Promise<string>,
): ToolDefinition {
  return tool(description, PARAMS, ({ target }, context) => run(target, context), { effect: 'read' }).named(name);
}
