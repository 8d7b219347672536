import { posix } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';
import { readFields } from './find-packages.ts';
import { askFirstNode } from './script-node.ts';

/** A run that failed; its Node is the first of its PATH. */
export interface FailedRun {
  /** Folder of its package, relative to the root. */
  readonly folder: string;
  /** PATH with which it ran. */
  readonly path: string;
  /** What it printed. Default: nothing. */
  readonly output?: string;
}

/** What a Node prints that lacks a newer feature; other mistakes print it too. */
const MAY_BE_OLDER =
  /\bis not a function\b|Unknown file extension|\bERR_(?:UNKNOWN_BUILTIN|UNSUPPORTED|UNKNOWN_FILE)|\bbad option: -|does not provide an export named|Could not find '[^'\n]*\*/;

/** What a file says about the version of Node, as written there. */
interface Wish {
  readonly file: string;
  readonly version: string;
}

/**
 * Explains that something ran with a Node whose version is not the one that the project asks for, in its package.json
 * (`engines`, `volta`), `.nvmrc` or `.node-version`; or names its version if the output is one that an older Node may
 * print. `''` if the version is as wanted, or if that is not certain.
 *
 * @param signal ends the question for the version
 */
export async function explainNodeVersion(
  root: WorkspaceRoot,
  { folder, path, output = '' }: FailedRun,
  signal: AbortSignal,
): Promise<string> {
  const wishes = (await Promise.all([...new Set([folder, ''])].map((place) => listWishes(root, place)))).flat();
  const mayBeOlder = MAY_BE_OLDER.test(output);
  if ((wishes.length === 0 && !mayBeOlder) || (await hasManagedNode(root))) return '';
  const version = await askFirstNode(path, { folder: posix.join(root.folder, folder), project: root.folder }, signal);
  if (version === undefined) return '';
  const [{ default: satisfies }, { default: readRange }] = await Promise.all([
    import('semver/functions/satisfies.js'),
    import('semver/ranges/valid.js'),
  ]);
  const missed = wishes.find((wish) => {
    // Of one exact version, later ones of the same series do as well.
    const range = readRange(/^v?\d+\.\d+\.\d+$/.test(wish.version) ? `^${wish.version}` : wish.version);
    return range !== null && !satisfies(version, range, { includePrerelease: true });
  });
  if (missed === undefined) return mayBeOlder ? `ran with Node ${version}` : '';
  return `ran with Node ${version}; ${missed.file} asks for ${missed.version}`;
}

async function listWishes(root: WorkspaceRoot, folder: string): Promise<readonly Wish[]> {
  const manifest = posix.join(folder, 'package.json');
  const { engines, volta } = await readFields(root, manifest);
  const fields = [engines, volta].map((one) => (Object(one) as Readonly<Record<string, unknown>>)['node']);
  const files = await Promise.all(
    ['.nvmrc', '.node-version'].map(async (name) => {
      const file = posix.join(folder, name);
      const text = await root.readText(file).then(
        (read) => read.text,
        () => '',
      );
      return { file, version: text.replaceAll(/#.*$/gm, '').trim() };
    }),
  );
  const declared = fields.map((version) => ({ file: manifest, version: typeof version === 'string' ? version : '' }));
  return [...declared, ...files].filter(({ version }) => version !== '' && version.length <= LONGEST);
}

/** Length of the longest version that is compared. */
const LONGEST = 100;

/** Tests for settings by which a package manager brings a Node of its own. */
async function hasManagedNode(root: WorkspaceRoot): Promise<boolean> {
  const { devEngines } = await readFields(root, 'package.json');
  if (Object(devEngines).runtime !== undefined) return true;
  const texts = await Promise.all(
    ['.npmrc', 'pnpm-workspace.yaml'].map((file) =>
      root.readText(file, { secrets: true }).then(
        ({ text }) => text,
        () => '',
      ),
    ),
  );
  return texts.some((text) => /^\s*(?:use-node-version|useNodeVersion)\b/m.test(text));
}
