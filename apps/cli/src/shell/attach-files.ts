import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asModelText, type Agent } from '@bae/core';
import type { ListFolder } from './complete-line.ts';

/** `@src/a.ts` at the start of a text or after a blank, but not `@source()` or an email address. */
const MENTION = /(?<=^|\s)@([\w./-]*\w)(?![\w(@])/g;
/** Absolute path as pasted or dropped into a terminal: in quotes, with `\\` before blanks, or with a drive. */
const WHOLE_PATH =
  /(?<=^|\s)(?:'([^'\n]+)'|"([^"\n]+)"|([A-Za-z]:\\\S+)|((?:~?\/|file:\/\/)(?:\\.|[^\s\\])+))(?=\s|$)/g;
const MOST = 10;
/** Media types of images by file extension. */
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
/** Maximum size of an image that services accept, in bytes. */
const LARGEST_IMAGE = 5 * 1024 * 1024;

type Attachments = NonNullable<NonNullable<Parameters<Agent['ask']>[1]>['attachments']>;

/** Question together with its attachments. */
export interface AskedText {
  readonly text: string;
  readonly attachments: Attachments;
  /** Parts of the text that the person did not write. */
  readonly quoted: readonly string[];
  /** What became of each mention, for the person. */
  readonly notes: readonly string[];
}

interface AttachmentSource {
  readonly agent: Agent;
  readonly listFolder: ListFolder;
  /** Reads a file of the workspace or at an absolute path. Returns undefined if it cannot be read. */
  readonly readBytes: (path: string) => Promise<Uint8Array | undefined>;
  readonly signal: AbortSignal;
  /** True if the model sees images. */
  readonly seesImages: boolean;
  /** True if the person typed the text: only then may it contain absolute paths of images. */
  readonly isTyped: boolean;
}

/**
 * Adds to a question the files that it mentions as `@path`. The agent reads them, so that consent may be required and
 * long files are cut; images are passed to the model. A mention that does not name a file is left unchanged.
 */
export async function attachFiles(
  text: string,
  { agent, listFolder, readBytes, signal, seesImages, isTyped }: AttachmentSource,
): Promise<AskedText> {
  const mentioned = [...new Set(Array.from(text.matchAll(MENTION), ([, path = '']) => path))].slice(0, MOST);
  const attached: string[] = [];
  const quoted: string[] = [];
  const attachments: Attachments[number][] = [];
  const notes: string[] = [];
  const addImage = async (path: string): Promise<boolean> => {
    const mediaType = IMAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
    const data = mediaType === undefined ? undefined : await readBytes(path);
    if (mediaType === undefined || data === undefined) return false;
    if (data.length > LARGEST_IMAGE) {
      notes.push(`${path} is not attached: an image may have at most ${LARGEST_IMAGE / 1024 / 1024} MB.`);
      return true;
    }
    notes.push(seesImages ? `attached: ${path}` : `${path} is not seen by this model, which gets only its name.`);
    attachments.push({ type: 'image', mediaType, data, name: path });
    return true;
  };
  for (const path of isTyped ? findWholePaths(text) : []) await addImage(path);
  for (const path of mentioned) {
    const slash = path.lastIndexOf('/') + 1;
    const names = await listFolder(slash === 0 ? '.' : path.slice(0, slash));
    if (!names.includes(path.slice(slash)) && !names.includes(`${path.slice(slash)}/`)) {
      // A name without a dot or a slash may be that of a person.
      if (isTyped && /[./]/.test(path)) notes.push(`@${path} is not found, so nothing is attached.`);
      continue;
    }
    if (await addImage(path)) continue;
    const { calls } = await agent.run(asModelText(`<home.R:${path}>`), { signal });
    const result = calls[0]?.result.text;
    if (result === undefined) continue;
    notes.push(`attached: ${path}`);
    attached.push(`[Attached: ${path}]\n${result}`);
    quoted.push(result);
  }
  return { text: [text, ...attached].join('\n\n'), attachments, quoted, notes };
}

/** Returns the absolute paths in a text, without quotes and escapes. */
function findWholePaths(text: string): readonly string[] {
  const paths = Array.from(text.matchAll(WHOLE_PATH), ([, single, double, drive, bare = '']) => {
    if (bare.startsWith('file://')) return readFileAddress(bare);
    return single ?? double ?? drive ?? bare.replaceAll(/\\(.)/g, '$1');
  });
  return [...new Set(paths.filter((path) => isAbsolute(path) || path.startsWith('~/')))].slice(0, MOST);
}

function readFileAddress(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    // It is of another computer, or no address.
    return '';
  }
}
