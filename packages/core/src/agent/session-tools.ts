import { $ZodDefault, $ZodString } from 'zod/v4/core';
import { tool } from '../decorators/tool.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { readResult, isResultAddress } from '../results/read-result.ts';
import type { SessionAnswers } from '../tool-router/resolve-call.ts';
import type { Places } from './places.ts';

const GROUP = /^\s*group:(.*)$/s;
const innerType = new $ZodString({ type: 'string' });
const PARAMS = { target: new $ZodDefault({ type: 'default', innerType, defaultValue: '' }) as $ZodDefault<$ZodString> };

/** Tools of the session itself, at hand everywhere: moves, kept results, the home listing, and help. */
export class SessionTools implements SessionAnswers {
  private readonly go: ToolDefinition;
  private readonly help: ToolDefinition;
  private readonly results: ToolDefinition;
  private readonly listing: ToolDefinition;

  constructor(results: ResultStore, places: Places) {
    this.go = named('go', 'The place you went to.', (target, context) => places.go(target, context));
    this.help = tool(
      'The tools here, or everything about one.',
      PARAMS,
      ({ target }, { space }) => places.help(space, target),
      {
        effect: 'read',
      },
    ).named('help');
    this.results = named('read', 'The whole of an answer that was cut.', (target, { answerLimit }) =>
      readResult(results, target, answerLimit),
    );
    this.listing = named('read', 'The spaces there are.', (target) => places.listing(GROUP.exec(target)?.[1]?.trim()));
  }

  find(call: ToolCall, space: string): ToolDefinition | undefined {
    if (call.verb === 'go') return this.go;
    if (call.verb === 'help') return this.help;
    if (call.verb !== 'read') return undefined;
    if (isResultAddress(call.arg)) return this.results;
    const takesOthers = Object.keys(call.kwargs ?? {}).some((name) => name !== 'target');
    return space === 'home' && !takesOthers && asksForListing(targetOf(call)) ? this.listing : undefined;
  }
}

/** Code names the target of a call where a tag would misread it. */
function targetOf({ arg, kwargs }: ToolCall): unknown {
  const { target = '' } = kwargs ?? {};
  return arg.trim() === '' ? target : arg;
}

function asksForListing(target: unknown): boolean {
  return typeof target === 'string' && (target.trim() === '' || GROUP.test(target));
}

function named(
  name: string,
  description: string,
  run: (target: string, context: ToolContext) => object | string | Promise<string>,
): ToolDefinition {
  return tool(description, PARAMS, ({ target }, context) => run(target, context), { effect: 'read' }).named(name);
}
