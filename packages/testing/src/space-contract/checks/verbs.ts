import type { ToolDefinition } from '@bae/core';
import { listPlaces, readWholeText, type OpenSpace } from '../open-space.ts';
import { quoteFirstLine } from '../quote.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';
import { findEdit, findWrite, type TrialChange } from '../sample-calls.ts';
import { findBodyParam, findFirstParam } from '../tool-arguments.ts';

type Tools = Readonly<Record<string, ToolDefinition>>;

/** Whether read, write, edit, glob and grep do what every model expects of them. */
export const VERB_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'honours the verbs',
    async look(open, findings) {
      for (const { path, space } of listPlaces(open)) checkVerbs(path, space.tools, findings);
      const { read } = open.definition.tools;
      if (read === undefined || !('default' in (findFirstParam(read) ?? { default: '' }))) return;
      const { result } = await open.call({ tool: 'read', args: {} });
      const refused = `read without an argument is refused: ${quoteFirstLine(result.text)} List there what can be read.`;
      findings.expect(result.ok, refused);
    },
  },
];

function checkVerbs(path: string, tools: Tools, findings: Findings): void {
  for (const tool of Object.values(tools)) {
    const name = `${path}.${tool.name}`;
    if (['read', 'glob', 'grep'].includes(tool.name)) checkLook(tool, name, findings);
    if (['glob', 'grep'].includes(tool.name)) {
      const remedy = "Put the pattern first: { pattern: z.string().describe('…') }.";
      findings.expect(findFirstParam(tool)?.type === 'string', `${name} takes no pattern as its argument. ${remedy}`);
    }
    if (tool.name === 'write') checkWriteTool(tool, name, findings);
    if (tool.name === 'edit') checkEditTool(tool, { name, canRead: tools['read'] !== undefined }, findings);
    const first = findFirstParam(tool);
    findings.expect(
      first?.type !== 'json',
      `${name}: ${first?.name} comes first, and its values cannot be written into a tag. Put a text or number first.`,
    );
  }
}

function checkLook(tool: ToolDefinition, name: string, findings: Findings): void {
  const body = findBodyParam(tool);
  findings.expect(
    body === undefined,
    `${name} takes a body, ${body?.name}, which a tag of this verb cannot have. Remove body.`,
  );
  findings.expect(
    tool.effect !== 'write',
    `${name} has the effect write, but looking changes nothing. Remove effect, or rename the tool.`,
  );
}

function checkWriteTool(tool: ToolDefinition, name: string, findings: Findings): void {
  findings.expect(findFirstParam(tool) !== undefined, `${name} does not name what it writes to. Put a target first.`);
  findings.expect(
    findBodyParam(tool) !== undefined,
    `${name} takes no body. Name the parameter that takes the text: body: 'content'.`,
  );
}

function checkEditTool(
  { spec }: ToolDefinition,
  { name, canRead }: { readonly name: string; readonly canRead: boolean },
  findings: Findings,
): void {
  findings.expect(canRead, `${name}: an edit that changes nothing becomes a read, and there is none. Add read.`);
  const replacements = spec.params.filter((param) => param.body === true || param.name === 'new');
  for (const { name: param, default: fallback } of replacements) {
    findings.expect(
      fallback === undefined,
      `${name}: without ${param} it would write ${JSON.stringify(fallback)} over what is there. Make ${param} .optional() or required, without a default.`,
    );
  }
}

/** Whether changes can be seen. */
export const CHANGE_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'shows by read what was written',
    look: (open, findings) => checkRoundTrip(open, 'write', findings),
  },
  {
    name: 'shows by read what was edited',
    look: (open, findings) => checkRoundTrip(open, 'edit', findings),
  },
];

async function checkRoundTrip(open: OpenSpace, verb: 'write' | 'edit', findings: Findings): Promise<void> {
  const { tools } = open.definition;
  if (tools[verb] === undefined || tools['read'] === undefined) return;
  const change = verb === 'write' ? findWrite(open) : await findEdit(open);
  const before = change === undefined ? '' : readWholeText(await open.read(change.readAs));
  const outcome = change && (await open.call({ tool: verb, args: change.args }));
  if (change === undefined || (!change.sampled && outcome?.result.ok !== true)) {
    findings.lack(`samples.${verb}, a call that works: { args: { … }, readAs: '…', shows: '…' }`);
    return;
  }
  const { ok, text } = outcome!.result;
  if (!findings.expect(ok, `${verb} fails with the sample: ${quoteFirstLine(text)} Fix it, or the sample.`)) return;
  findings.expect(text.trim() !== '', `${verb} confirms nothing. Say what was changed.`);
  await checkRead(open, { verb, change, before }, findings);
}

async function checkRead(
  open: OpenSpace,
  { verb, change, before }: { readonly verb: string; readonly change: TrialChange; readonly before: string },
  findings: Findings,
): Promise<void> {
  const { readAs, shows, sampled } = change;
  const outcome = await open.read(readAs);
  const { result } = outcome;
  if (!result.ok && !sampled) {
    findings.lack(`samples.${verb} with readAs, what read is called with afterwards`);
    return;
  }
  const where = `read(${readAs}) after the ${verb}`;
  if (!findings.expect(result.ok, `${where} fails: ${quoteFirstLine(result.text)}`)) return;
  const text = readWholeText(outcome);
  if (verb === 'edit')
    findings.expect(text !== before, `${where} shows the same as before, although the edit reports success.`);
  const lost = shows.split('\n').find((line) => !text.includes(line));
  findings.expect(
    lost === undefined,
    `${where} does not show ${JSON.stringify(lost)}. Keep the body exactly as it came.`,
  );
}
