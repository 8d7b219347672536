import type { ToolDefinition } from '@bae/core';
import { safeParseAsync } from 'zod/v4/core';
import {
  listAllTools,
  makeToolContext,
  quoteFirstLine,
  canApply,
  readWholeText,
  type OpenSpace,
  type PlacedTool,
} from '../open-space.ts';
import {
  asOneSubject,
  defineCheck,
  type AsyncFindings,
  type Finding,
  type Findings,
  type SpaceCheckSpec,
} from '../run-check.ts';
import { listChangingCalls, compareSnapshots, findReadingCalls, takeSnapshot } from '../sample-calls.ts';
import { findBodyParam, findFirstParam, type SampleCall } from '../space-samples.ts';

/** Checks that tools do what their names and effects lead others to expect. */
export const VERB_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck('honours the verbs', listAllTools, checkVerb),
  defineCheck('declares what its tools change', ({ definition }) => Object.values(definition.tools), checkEffect),
  defineCheck(
    'changes nothing by reading',
    async (open) => asOneSubject(await findReadingCalls(open)),
    checkReadingCalls,
  ),
  defineCheck(
    'changes nothing by showing what it would change',
    (open) =>
      listChangingCalls(open).filter(({ tool: name }) => {
        const tool = open.definition.tools[name]!;
        return 'plan' in tool || 'preview' in tool || 'target' in tool;
      }),
    checkPreview,
  ),
  defineCheck(
    'changes nothing more by repeating an idempotent call',
    (open) => listChangingCalls(open).filter(({ tool }) => open.definition.tools[tool]!.idempotent === true),
    async function* look(call, open) {
      const callAndLook = async (): Promise<string> => {
        await open.call(call);
        const written = open.samples.write?.readAs ?? Object.values(call.args)[0];
        const read =
          typeof written === 'string' && open.definition.tools['read'] ? await open.read(written) : undefined;
        return `${await takeSnapshot(open)}\n${read === undefined ? '' : readWholeText(read)}`;
      };
      const change = compareSnapshots(await callAndLook(), await callAndLook());
      if (change !== undefined)
        yield `${call.tool} is declared idempotent, and a second call changes something more (${change}). Remove idempotent.`;
    },
  ),
];

async function* checkVerb({ tool, space, name }: PlacedTool, open: OpenSpace): AsyncFindings {
  const verb = tool.name;
  const [first, body] = [findFirstParam(tool), findBodyParam(tool)];
  if (['read', 'glob', 'grep'].includes(verb)) {
    if (body !== undefined)
      yield `${name} takes a body, ${body.name}, which a tag of this verb cannot have. Remove body.`;
    if (tool.effect === 'write')
      yield `${name} has the effect write, but looking changes nothing. Remove effect, or rename the tool.`;
  }
  if (['glob', 'grep'].includes(verb) && first?.type !== 'string')
    yield `${name} takes no pattern as its argument. Put the pattern first: { pattern: z.string().describe('…') }.`;
  if (verb === 'write') {
    if (first === undefined) yield `${name} does not name what it writes to. Put a target first.`;
    if (body === undefined) yield `${name} takes no body. Name the parameter that takes the text: body: 'content'.`;
  }
  if (verb === 'edit') {
    if (space.tools['read'] === undefined)
      yield `${name}: an edit that changes nothing becomes a read, and there is none. Add read.`;
    for (const { name: param, body: isBody, default: fallback } of tool.spec.params)
      if ((isBody === true || param === 'new') && fallback !== undefined)
        yield `${name}: without ${param} it would write ${JSON.stringify(fallback)} over what is there. Make ${param} .optional() or required, without a default.`;
  }
  if (first?.type === 'json')
    yield `${name}: ${first.name} comes first, and its values cannot be written into a tag. Put a text or number first.`;
  if (tool !== open.definition.tools['read'] || (first !== undefined && !('default' in first))) return;
  const { result } = await open.call({ tool: 'read', args: {} });
  if (!result.ok)
    yield `read without an argument is refused: ${quoteFirstLine(result.text)} List there what can be read.`;
}

const EFFECTS = ['read', 'write', 'external'];
const SOUNDS_CHANGING =
  /^(write|edit|create|add|insert|set|update|change|modify|delete|remove|drop|clear|reset|move|rename|close|reopen|assign|archive|save|store|apply|undo|install|uninstall|start|stop|run|execute)(?![a-z])/;
const SOUNDS_EXTERNAL = /^(send|post|publish|upload|pay|buy|order|mail|email|tweet|deploy|push|notify|invite)(?![a-z])/;

function* checkEffect({ name, effect, destructive, idempotent, cost }: ToolDefinition): Findings {
  const snakeCase = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!EFFECTS.includes(effect)) return `${name} has the effect ${effect}. There are ${EFFECTS.join(', ')}.`;
  if (effect === 'read' && destructive === true)
    yield `${name} has the effect read and is declared destructive. Say effect: 'write', or remove destructive.`;
  if (effect === 'read' && idempotent !== undefined)
    yield `${name} only reads, so that calling it twice changes nothing anyway. Remove idempotent.`;
  if (cost !== undefined && effect !== 'external')
    yield `${name} costs something, and has the effect ${effect}. Say effect: 'external'.`;
  if (cost !== undefined && (typeof cost !== 'string' || cost.trim() === ''))
    yield `${name}: cost is not a text. Say what one call costs in a few words: '$0.02'.`;
  if (effect === 'read' && SOUNDS_CHANGING.test(snakeCase))
    yield `${name} sounds like a change and has the effect read, so nobody is asked. Remove effect: 'read', or name it for what it returns.`;
  if (effect !== 'external' && SOUNDS_EXTERNAL.test(snakeCase))
    yield `${name} sounds as if something left the machine, and has the effect ${effect}. Say effect: 'external'.`;
  return undefined;
}

async function checkReadingCalls(calls: readonly SampleCall[], open: OpenSpace): Promise<Finding | void> {
  for (const call of calls) {
    const before = await takeSnapshot(open);
    await open.call(call);
    const change = compareSnapshots(before, await takeSnapshot(open));
    if (change === undefined) continue;
    const remedy = `Give ${call.tool} the effect write, or let it change nothing.`;
    return `${call.tool} has the effect read and changes what others read (${change}). ${remedy}`;
  }
  return undefined;
}

/** Checks that a person who is asked for consent learns what the call will do, before anything changes. */
async function* checkPreview({ tool: name, args: sent }: SampleCall, open: OpenSpace): AsyncFindings {
  const tool = open.definition.tools[name]!;
  const before = await takeSnapshot(open);
  const parsed = await safeParseAsync(tool.params, sent);
  if (parsed.success) {
    const args = parsed.data;
    const context = makeToolContext(open, tool, new AbortController().signal);
    const target = await open.runMember(`the target of ${name}`, () => tool.target?.(args, context));
    const path = typeof target === 'object' ? target.path : target;
    if (path !== undefined && typeof path !== 'string') yield `the target of ${name} is not a text.`;
    const planning = typeof target === 'object' ? { ...context, target } : context;
    const planned = await open.runMember(`the plan of ${name}`, () => tool.plan?.(args, planning));
    const preview = await open.runMember(`the preview of ${name}`, () =>
      canApply(planned) ? planned.preview() : tool.preview?.(args, context),
    );
    if (preview !== undefined && (typeof preview !== 'string' || preview.trim() === ''))
      yield `the preview of ${name} shows nothing. Show what would change, as a difference or in words.`;
  }
  const change = compareSnapshots(before, await takeSnapshot(open));
  if (change !== undefined)
    yield `the plan, preview or target of ${name} changes something (${change}). Leave that to the call.`;
}
