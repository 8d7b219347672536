import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk';
import { asModelText, type Agent, type AgentEvent } from '@bae/core';
import type { Ledger } from '@bae/models';
import type { WorkspaceRoot } from '@bae/workspace';
import { compactBy, describeContext, NOTHING_ASKED } from '../shell/shell-commands.ts';
import { fenceCode } from '../shell/transcript.ts';
import { SUMMARY_REQUEST } from '../views/read-prose.ts';
import { renderUsageTable } from '../views/usage-table.ts';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

interface SessionParts {
  readonly agent: Agent;
  readonly ledger: Ledger;
  /** Last response of the model, if any. */
  readonly last: Extract<AgentEvent, { type: 'response-end' }> | undefined;
  /** Runs what the user has typed, which is consent. */
  readonly runTyped: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Commands of bae for an editor. */
export const OWN_COMMANDS: readonly AvailableCommand[] = [
  { name: 'undo', description: 'undo the last change to files, or the last N', input: { hint: 'N' } },
  { name: 'context', description: 'how full the context of the model is' },
  { name: 'compact', description: 'summarise the session, and continue with only the summary' },
  { name: 'cost', description: 'tokens and money by turn, tool and place' },
];

/** Runs a command of bae. Resolves to what it says, or to undefined if the text is none. */
export async function runOwnCommand(
  text: string,
  { agent, ledger, last, runTyped }: SessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, name, argument = ''] = /^\/(undo|context|compact|cost)(?:\s+(\S[^]*?))?\s*$/.exec(text) ?? [];
  const takes = name === 'undo' ? /^\d*$/ : /^$/;
  if (name !== undefined && !takes.test(argument))
    return `/${name} takes ${name === 'undo' ? 'a number' : 'nothing'}; got ${argument}.`;
  if (name === 'context') return describeContext(last);
  if (name === 'compact' && last === undefined) return NOTHING_ASKED;
  if (name === 'compact') {
    const reason = await compactBy(agent, () => agent.ask(SUMMARY_REQUEST, { signal }));
    return `\n\n${reason ?? 'The session goes on with only this summary.'}`;
  }
  if (name === 'cost') return fenceCode('', renderUsageTable(ledger));
  if (name !== 'undo') return undefined;
  const tag = asModelText(`<home.undo:${argument}>`);
  const { calls } = await runTyped(() => agent.run(tag, { signal, isTyped: true }));
  return calls.map(({ result }) => result.text).join('\n') || 'Nothing was undone.';
}

/** Explains a prompt that is only a command, but none of these; undefined for other prompts, which are for the model. */
export function explainCommand(text: string, commands: readonly AvailableCommand[]): string | undefined {
  const name = /^\/([\w:-]+)$/.exec(text.trim())?.[1];
  const names = commands.map((command) => command.name);
  if (name === undefined || names.includes(name)) return undefined;
  return `There is no command /${name} here. There are ${names.map((one) => `/${one}`).join(', ')}.`;
}

type Attachments = NonNullable<NonNullable<Parameters<Agent['ask']>[1]>['attachments']>;

/**
 * Converts a prompt of an editor to text and images. Attachments are named, with their text if the editor sends it; that
 * of a file which is shown only with consent is left out, so that the model has to read it and the user is asked.
 */
export async function readPromptBlocks(
  blocks: readonly ContentBlock[],
  workspace: WorkspaceRoot,
): Promise<{
  readonly text: string;
  readonly attachments: Attachments;
  /** Parts of the text that the user did not write. */
  readonly quoted: readonly string[];
}> {
  const attachments = blocks.flatMap((block) =>
    block.type === 'image' ? [{ type: 'image' as const, mediaType: block.mimeType, data: block.data }] : [],
  );
  const shown = await Promise.all(blocks.map((block) => hideSecret(block, workspace)));
  const texts = shown.map(readBlock).filter((text) => text !== '');
  const text = texts.length === 0 && attachments.length > 0 ? 'Look at this.' : texts.join('\n\n');
  const quoted = shown.flatMap((block) =>
    block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [],
  );
  return { text, attachments, quoted };
}

async function hideSecret(block: ContentBlock, workspace: WorkspaceRoot): Promise<ContentBlock> {
  if (block.type !== 'resource') return block;
  const { uri } = block.resource;
  const info = await workspace.info(toPath(uri)).catch(() => undefined);
  return info?.secrecy === undefined ? block : { type: 'resource_link', uri, name: info.path };
}

function readBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'image') return '';
  if (block.type === 'resource_link') return `Attached: ${toPath(block.uri)}`;
  if (block.type === 'resource' && 'text' in block.resource)
    return `Attached: ${toPath(block.resource.uri)}\n\n${block.resource.text}`;
  return `(attached: ${block.type}, which cannot be read here)`;
}

function toPath(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return basename(uri);
  }
}
