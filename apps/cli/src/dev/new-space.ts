import { dirname, join } from 'node:path';
import type { SpaceRequest, SpaceScaffold } from '@bae/source';
import { scaffoldProjectSpace } from '../create/project-space.ts';
import { findNameProblem } from '../create/scaffold-names.ts';

/** The workspace that a space is made in. */
export interface Surroundings {
  /** Absolute, without links. */
  readonly root: string;
  /** Folders of its spaces, below the root. */
  readonly folders: readonly string[];
  /** Names that spaces of this session have. */
  readonly taken: ReadonlySet<string>;
}

/** Folder for spaces in a project that has none yet. */
const FOLDER = 'spaces';

/** Makes the files of a new space: beside the spaces of the workspace, else in `spaces`. */
export function scaffoldNewSpace(request: SpaceRequest, { root, folders, taken }: Surroundings): SpaceScaffold {
  const { name } = request;
  const problem = findNameProblem(name);
  if (problem !== undefined) return { type: 'refused', ...problem };
  const identifier = name.replaceAll('-', '_');
  if (taken.has(identifier)) {
    const other = `my-${name}`;
    const nearest = findNameProblem(other)?.nearest ?? other;
    return { type: 'refused', reason: `a space ${identifier} is here already`, nearest };
  }
  const [beside] = folders;
  const folder = join(beside === undefined ? FOLDER : dirname(beside), name);
  const { files, isInstalled } = scaffoldProjectSpace(request, join(root, folder));
  const install = isInstalled ? [] : [`cd ${quoteForShell(folder)} && npm install`];
  return { type: 'files', folder, files, steps: [...install, ...listRegistrationSteps(folder, identifier)] };
}

function listRegistrationSteps(folder: string, identifier: string): readonly string[] {
  const entry = JSON.stringify(`./${folder}`);
  return [
    `in bae.config.json: { "spaces": [${entry}] }, or ${entry} as one more of the spaces there`,
    'bae trust   (shows what it is, asks, and lets it run)',
    `restart bae; @${identifier}() enters it`,
  ];
}

function quoteForShell(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
