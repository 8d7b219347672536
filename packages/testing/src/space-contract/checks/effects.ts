import type { ToolDefinition } from '@bae/core';
import { safeParseAsync } from 'zod/v4/core';
import { makeToolContext, type OpenSpace } from '../open-space.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';
import { listChangingCalls, compareSnapshots, findReadingCalls, takeSnapshot } from '../sample-calls.ts';
import type { SampleArguments } from '../space-samples.ts';

const EFFECTS = ['read', 'write', 'external'];
const SOUNDS_CHANGING =
  /^(write|edit|create|add|insert|set|update|change|modify|delete|remove|drop|clear|reset|move|rename|close|reopen|assign|archive|save|store|apply|undo|install|uninstall|start|stop|run|execute)(?![a-z])/;
const SOUNDS_EXTERNAL = /^(send|post|publish|upload|pay|buy|order|mail|email|tweet|deploy|push|notify|invite)(?![a-z])/;

/** Whether a person who is asked for consent learns what the call will do. */
export const EFFECT_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'declares what its tools change',
    look({ definition }, findings) {
      for (const tool of Object.values(definition.tools)) checkDeclared(tool, findings);
    },
  },
  {
    name: 'changes nothing by reading',
    async look(open, findings) {
      for (const call of await findReadingCalls(open)) {
        const change = await findChange(open, () => open.call(call));
        const remedy = `Give ${call.tool} the effect write, or let it change nothing.`;
        const complaint = `${call.tool} has the effect read and changes what others read (${change}). ${remedy}`;
        if (!findings.expect(change === undefined, complaint)) return;
      }
    },
  },
  {
    name: 'changes nothing by showing what it would change',
    async look(open, findings) {
      for (const { tool: name, args } of listChangingCalls(open)) {
        const tool = open.definition.tools[name]!;
        if (tool.plan === undefined && tool.preview === undefined && tool.target === undefined) continue;
        const change = await findChange(open, () => checkPreview(open, { tool, args }, findings));
        findings.expect(
          change === undefined,
          `the plan, preview or target of ${name} changes something (${change}). Leave that to the call.`,
        );
      }
    },
  },
];

/** What some work changes in what others can see; undefined when nothing. */
async function findChange(open: OpenSpace, work: () => Promise<unknown>): Promise<string | undefined> {
  const before = await takeSnapshot(open);
  await work();
  return compareSnapshots(before, await takeSnapshot(open));
}

function checkDeclared({ name, effect }: ToolDefinition, findings: Findings): void {
  const snakeCase = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isKnown = EFFECTS.includes(effect);
  if (!findings.expect(isKnown, `${name} has the effect ${effect}. There are ${EFFECTS.join(', ')}.`)) return;
  findings.expect(
    effect !== 'read' || !SOUNDS_CHANGING.test(snakeCase),
    `${name} sounds like a change and has the effect read, so nobody is asked. Remove effect: 'read', or name it for what it returns.`,
  );
  findings.expect(
    effect === 'external' || !SOUNDS_EXTERNAL.test(snakeCase),
    `${name} sounds as if something left the machine, and has the effect ${effect}. Say effect: 'external'.`,
  );
}

async function checkPreview(
  open: OpenSpace,
  { tool, args: sent }: { readonly tool: ToolDefinition; readonly args: SampleArguments },
  findings: Findings,
): Promise<void> {
  const { name } = tool;
  const parsed = await safeParseAsync(tool.params, sent);
  if (!parsed.success) return;
  const args = parsed.data;
  const context = makeToolContext(open, tool, new AbortController().signal);
  const target = await open.runMember(`the target of ${name}`, () => tool.target?.(args, context));
  const path = typeof target === 'object' ? target.path : target;
  findings.expect(path === undefined || typeof path === 'string', `the target of ${name} is not a text.`);
  const planning = typeof target === 'object' ? { ...context, target } : context;
  const planned = await open.runMember(`the plan of ${name}`, () => tool.plan?.(args, planning));
  const isChange = typeof planned === 'object' && planned !== null && 'apply' in planned && 'preview' in planned;
  const preview = await open.runMember(`the preview of ${name}`, () =>
    isChange ? planned.preview() : tool.preview?.(args, context),
  );
  findings.expect(
    preview === undefined || (typeof preview === 'string' && preview.trim() !== ''),
    `the preview of ${name} shows nothing. Show what would change, as a difference or in words.`,
  );
}
