import { asModelText, type Agent } from '@bae/core';
import type { ListFolder } from './complete-line.ts';

/** `@src/a.ts` at the start of a text or after a blank; not `@source()`, and no address of mail. */
const MENTION = /(?<=^|\s)@([\w./-]*\w)(?![\w(@])/g;
const MOST = 10;

/**
 * Adds to a question the files that it mentions as `@path`, as the agent would read them: with consent where they need
 * it, and cut where they are long. A mention of what is no file stays as it is.
 */
export async function attachFiles(
  text: string,
  { agent, listFolder, signal }: { agent: Agent; listFolder: ListFolder; signal: AbortSignal },
): Promise<string> {
  const mentioned = [...new Set(Array.from(text.matchAll(MENTION), ([, path = '']) => path))].slice(0, MOST);
  const attached: string[] = [];
  for (const path of mentioned) {
    const slash = path.lastIndexOf('/') + 1;
    const names = await listFolder(slash === 0 ? '.' : path.slice(0, slash));
    if (!names.includes(path.slice(slash)) && !names.includes(`${path.slice(slash)}/`)) continue;
    const { calls } = await agent.run(asModelText(`<home.R:${path}>`), { signal });
    const result = calls[0]?.result.text;
    if (result !== undefined) attached.push(`[Attached: ${path}]\n${result}`);
  }
  return [text, ...attached].join('\n\n');
}
