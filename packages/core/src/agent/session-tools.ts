import { $ZodDefault, $ZodString } from 'zod/v4/core';
import { tool } from '../decorators/tool.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { isResultAddress, readResult, searchResult } from '../results/read-result.ts';
import type { SessionTools } from '../tool-router/resolve-call.ts';
import type { Places } from './places.ts';

const TEXT = new $ZodString({ type: 'string' });
const OPTIONAL_TEXT = new $ZodDefault({
  type: 'default',
  innerType: TEXT,
  defaultValue: '',
}) as $ZodDefault<$ZodString>;
const PARAMS = { target: OPTIONAL_TEXT };
const SEARCH_PARAMS = { pattern: TEXT, in: OPTIONAL_TEXT, path: OPTIONAL_TEXT };
const RESULT_TARGET = /(?:^|[\s,])(?:in|path)\s*[=:]\s*["']?result:\d/;
const GROUP = /^\s*group:(.*)$/s;

/** Makes the tools of the session itself, available everywhere: moves, kept results, the home listing, and help. */
export function createSessionTools(results: ResultStore, places: Places): SessionTools {
  const go = defineReadTool('go', 'The place you went to.', (target, context) => places.go(target, context));
  const help = defineReadTool('help', 'The tools here, or everything about one.', (target, { space }) => {
    const { text, whole } = places.help(space, target);
    if (whole === undefined) return text;
    return { text: `${text}\n[shortened; full: <R:${results.keep(whole)}>]`, whole: () => whole };
  });
  const kept = defineReadTool('read', 'The whole of a result that was cut.', (target, { answerLimit }) =>
    readResult(results, target, answerLimit),
  );
  const searching = tool(
    'Lines of a kept result that contain a text.',
    SEARCH_PARAMS,
    ({ pattern, in: target, path }) => searchResult(results, target || path, pattern),
    { effect: 'read' },
  ).named('grep');
  const listing = defineReadTool('read', 'The spaces there are.', (target) =>
    places.list(GROUP.exec(target)?.[1]?.trim()),
  );
  return (call, space) => {
    if (call.verb === 'go') return go;
    if (call.verb === 'help') return help;
    if (call.verb === 'grep' && isResultSearch(call)) return searching;
    if (call.verb !== 'read') return undefined;
    if (isResultAddress(call.arg)) return kept;
    return space === 'home' && isListing(call, places.hasOwnList) ? listing : undefined;
  };
}

function isResultSearch({ arg, kwargs = {} }: ToolCall): boolean {
  const places = [kwargs['in'], kwargs['path']];
  return RESULT_TARGET.test(arg) || places.some((place) => typeof place === 'string' && isResultAddress(place));
}

/**
 * True for a read of a group, or of nothing where home has nothing of its own to list. Code passes its target by name
 * where a tag would misread it.
 */
function isListing({ arg, kwargs = {} }: ToolCall, hasOwnList: boolean): boolean {
  if (Object.keys(kwargs).some((name) => name !== 'target')) return false;
  const { target: named = '' } = kwargs;
  const target = arg.trim() === '' ? named : arg;
  if (typeof target !== 'string') return false;
  return target.trim() === '' ? !hasOwnList : GROUP.test(target);
}

function defineReadTool(
  name: string,
  description: string,
  run: (target: string, context: ToolContext) => object | string | Promise<string>,
): ToolDefinition {
  return tool(description, PARAMS, ({ target }, context) => run(target, context), { effect: 'read' }).named(name);
}
