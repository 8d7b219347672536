import { asModelText, type Agent } from '@bae/core';
import type { ListFolder } from './complete-line.ts';

/** `@src/a.ts` at the start of a text or after a blank; not `@source()`, and no address of mail. */
const MENTION = /(?<=^|\s)@([\w./-]*\w)(?![\w(@])/g;
/** A whole path, as it is pasted or dropped into a terminal: in quotes, or with `\\` before blanks. */
const WHOLE_PATH = /(?<=^|\s)(?:'([^'\n]+)'|"([^"\n]+)"|((?:~?\/|file:\/\/)(?:\\.|[^\s\\])+))(?=\s|$)/g;
const MOST = 10;
/** Images by the endings of their files, and bytes of the largest one that services take. */
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
const LARGEST_IMAGE = 5 * 1024 * 1024;

type Attachments = NonNullable<NonNullable<Parameters<Agent['ask']>[1]>['attachments']>;

/** A question with what it attaches. */
export interface AskedText {
  readonly text: string;
  readonly attachments: Attachments;
}

interface AttachmentSource {
  readonly agent: Agent;
  readonly listFolder: ListFolder;
  /** Reads a file of the workspace, or of a whole path. Undefined where it cannot be read. */
  readonly readBytes: (path: string) => Promise<Uint8Array | undefined>;
  readonly signal: AbortSignal;
  /** True for a text that the person has typed: images in it may be anywhere. */
  readonly isTyped: boolean;
}

/**
 * Adds to a question the files that it mentions as `@path`, as the agent would read them: with consent where they need
 * it, and cut where they are long; images are shown to the model. A mention of what is no file stays as it is.
 */
export async function attachFiles(
  text: string,
  { agent, listFolder, readBytes, signal, isTyped }: AttachmentSource,
): Promise<AskedText> {
  const mentioned = [...new Set(Array.from(text.matchAll(MENTION), ([, path = '']) => path))].slice(0, MOST);
  const attached: string[] = [];
  const attachments: Attachments[number][] = [];
  const addImage = async (path: string): Promise<boolean> => {
    const mediaType = IMAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
    const data = mediaType === undefined ? undefined : await readBytes(path);
    if (mediaType === undefined || data === undefined || data.length > LARGEST_IMAGE) return false;
    attachments.push({ type: 'image', mediaType, data, name: path });
    return true;
  };
  for (const path of isTyped ? findWholePaths(text) : []) await addImage(path);
  for (const path of mentioned) {
    const slash = path.lastIndexOf('/') + 1;
    const names = await listFolder(slash === 0 ? '.' : path.slice(0, slash));
    if (!names.includes(path.slice(slash)) && !names.includes(`${path.slice(slash)}/`)) continue;
    if (await addImage(path)) continue;
    const { calls } = await agent.run(asModelText(`<home.R:${path}>`), { signal });
    const result = calls[0]?.result.text;
    if (result !== undefined) attached.push(`[Attached: ${path}]\n${result}`);
  }
  return { text: [text, ...attached].join('\n\n'), attachments };
}

/** The whole paths in a text, without quotes and escapes. */
function findWholePaths(text: string): readonly string[] {
  const paths = Array.from(text.matchAll(WHOLE_PATH), ([, single, double, bare = '']) => {
    if (bare.startsWith('file://')) return URL.canParse(bare) ? decodeURIComponent(new URL(bare).pathname) : '';
    return single ?? double ?? bare.replaceAll(/\\(.)/g, '$1');
  });
  return [...new Set(paths.filter((path) => /^~?\//.test(path)))].slice(0, MOST);
}
