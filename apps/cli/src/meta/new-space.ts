import { dirname, join } from 'node:path';
import type { SpaceRequest, SpaceScaffold } from '@bae/source';
import { projectSpace } from '../create/project-space.ts';
import { nameProblem } from '../create/scaffold-names.ts';

/** What is known of a workspace that a space is to be made in. */
export interface Surroundings {
  /** Absolute, without links. */
  readonly root: string;
  /** Folders of the spaces that it has, below the root. */
  readonly folders: readonly string[];
  /** Names that spaces of this session have. */
  readonly taken: ReadonlySet<string>;
}

/** Where spaces are in a project that has none yet. */
const FOLDER = 'spaces';

/** Works out a space in a workspace: beside those that are there, else in `spaces`. */
export function newSpace(request: SpaceRequest, { root, folders, taken }: Surroundings): SpaceScaffold {
  const { name } = request;
  const problem = nameProblem(name);
  if (problem !== undefined) return { type: 'refused', ...problem };
  const identifier = name.replaceAll('-', '_');
  if (taken.has(identifier)) {
    const other = `my-${name}`;
    const nearest = nameProblem(other)?.nearest ?? other;
    return { type: 'refused', reason: `a space ${identifier} is here already`, nearest };
  }
  const [beside] = folders;
  const folder = join(beside === undefined ? FOLDER : dirname(beside), name);
  const { files, isInstalled } = projectSpace(request, join(root, folder));
  const install = isInstalled ? [] : [`cd ${inShell(folder)} && npm install`];
  return { type: 'files', folder, files, steps: [...install, ...registration(folder, identifier)] };
}

function registration(folder: string, identifier: string): readonly string[] {
  const entry = JSON.stringify(`./${folder}`);
  return [
    `in bae.config.json: { "spaces": [${entry}] }, or ${entry} as one more of the spaces there`,
    'bae trust   (shows what it is, asks, and lets it run)',
    `start bae anew; @${identifier}() enters it`,
  ];
}

function inShell(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
