import type { ToolDefinition } from '@bae/core';
import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import { difference, snapshot } from '../snapshot.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { toolContext } from '../tool-context.ts';
import { changingCalls, readingCalls } from '../trials.ts';

const EFFECTS = ['read', 'write', 'external'];
const SOUNDS_CHANGING =
  /^(write|edit|create|add|insert|set|update|change|modify|delete|remove|drop|clear|reset|move|rename|close|reopen|assign|archive|save|store|apply|undo|install|uninstall|start|stop|run|execute)(?![a-z])/;
const SOUNDS_EXTERNAL = /^(send|post|publish|upload|pay|buy|order|mail|email|tweet|deploy|push|notify|invite)(?![a-z])/;

/** Whether whoever is asked for consent knows what to. */
export const EFFECTS_TOLD: readonly SpaceCheckSpec[] = [
  {
    name: 'declares what its tools change',
    async look(bench, findings) {
      for (const tool of Object.values((await bench.open()).definition.tools)) checkDeclared(tool, findings);
    },
  },
  {
    name: 'changes nothing by reading',
    async look(bench, findings) {
      const open = await bench.open();
      for (const call of await readingCalls(open)) {
        const before = await snapshot(open);
        await open.call(call);
        const seen = difference(before, await snapshot(open));
        const remedy = `Give ${call.tool} the effect write, or let it change nothing.`;
        if (
          !findings.expect(
            seen === undefined,
            `${call.tool} has the effect read and changes what others read (${seen}). ${remedy}`,
          )
        )
          return;
      }
    },
  },
  {
    name: 'changes nothing by showing what it would change',
    async look(bench, findings) {
      const open = await bench.open();
      for (const { tool: name, args } of changingCalls(open)) {
        const tool = open.definition.tools[name]!;
        if (tool.preview === undefined && tool.target === undefined) continue;
        const before = await snapshot(open);
        await checkPreview(open, { tool, args }, findings);
        const seen = difference(before, await snapshot(open));
        findings.expect(
          seen === undefined,
          `the preview or target of ${name} changes something (${seen}). Leave that to the call.`,
        );
      }
    },
  },
];

function checkDeclared({ name, effect }: ToolDefinition, findings: Findings): void {
  const plain = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!findings.expect(EFFECTS.includes(effect), `${name} has the effect ${effect}. There are ${EFFECTS.join(', ')}.`))
    return;
  const changes = SOUNDS_CHANGING.test(plain);
  findings.expect(
    !changes || effect !== 'read',
    `${name} sounds like a change and has the effect read, so nobody is asked. Take effect: 'read' away, or name it for what it tells.`,
  );
  const leaves = SOUNDS_EXTERNAL.test(plain);
  findings.expect(
    !leaves || effect === 'external',
    `${name} sounds as if something left the machine, and has the effect ${effect}. Say effect: 'external'.`,
  );
}

async function checkPreview(
  open: OpenSpace,
  { tool, args }: { readonly tool: ToolDefinition; readonly args: Readonly<Record<string, unknown>> },
  findings: Findings,
): Promise<void> {
  const context = toolContext(open, tool, new AbortController().signal);
  const shown = await open.ask(`the preview of ${tool.name}`, () => tool.preview?.(args, context));
  const says = shown === undefined || (typeof shown === 'string' && shown.trim() !== '');
  findings.expect(
    says,
    `the preview of ${tool.name} shows nothing. Show what would change, as a difference or in words.`,
  );
  const target = await open.ask(`the target of ${tool.name}`, () => tool.target?.(args, context));
  findings.expect(target === undefined || typeof target === 'string', `the target of ${tool.name} is not a text.`);
}
