import { dirname, join } from 'node:path';
import { digestOfCode } from '@bae/plugins';
import type { ScaffoldFile, SpaceRequest, SpaceScaffold } from '@bae/source';
import { isFromRegistry, isInstalledFor, TEMPLATES } from './bae-copy.ts';
import { createPackage, formatJson } from './new-package.ts';
import { deriveNames, findNameProblem, type ScaffoldFiles } from './scaffold.ts';

/** Workspace of a new space: its real path, the folders of its spaces relative to that, and the names of all spaces. */
export interface Surroundings {
  readonly root: string;
  readonly folders: readonly string[];
  readonly taken: ReadonlySet<string>;
}

/** Folder for spaces in a project that has none yet. */
const FOLDER = 'spaces';

/** Packages required by the code of a space when it runs. */
const NEEDED = ['@bae/core', '@bae/workspace', 'zod'];

/** Creates the files of a new space next to the spaces of the workspace or, if there are none, in `spaces`. */
export function scaffoldNewSpace(request: SpaceRequest, { root, folders, taken }: Surroundings): SpaceScaffold {
  const { name } = request;
  const problem = findNameProblem(name);
  if (problem !== undefined) return { type: 'refused', ...problem };
  const { identifier } = deriveNames(name);
  if (taken.has(identifier)) {
    const other = `my-${name}`;
    const nearest = findNameProblem(other)?.nearest ?? other;
    return { type: 'refused', reason: `a space ${identifier} is here already`, nearest };
  }
  const [beside] = folders;
  const folder = join(beside === undefined ? FOLDER : dirname(beside), name);
  const isInstalled = isInstalledFor(dirname(join(root, folder)), NEEDED);
  const install = isInstalled ? [] : [`cd ${quoteForShell(folder)} && npm install`];
  const steps = [...install, ...listRegistrationSteps(folder, identifier)];
  return { type: 'files', folder, files: scaffoldProjectSpace(request), steps };
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

/** Files for building and publishing a package, which are left out. */
const LEFT_OUT = new Set(['README.md', 'tsconfig.build.json', 'vitest.config.ts']);

/** Creates a space as a package of a project, from the templates of `bae create`. It runs without being built. */
export function scaffoldProjectSpace({ name, language }: SpaceRequest): ReadonlyMap<string, ScaffoldFile> {
  const style = language === 'javascript' ? ['space-javascript'] : ['space-typescript', 'space-definition'];
  const made = createPackage({
    package: `bae-resourcespace-${name}`,
    names: deriveNames(name),
    layers: ['space', ...style, 'space-in-project'].map((layer) => join(TEMPLATES, layer)),
    linked: !isFromRegistry(),
  });
  const ending = language === 'javascript' ? 'js' : 'ts';
  const texts = new Map([...made].filter(([path]) => !LEFT_OUT.has(path)));
  texts.set('package.json', removeBuild(texts.get('package.json')!, ending));
  texts.set('bae.manifest.json', addCodeDigest(texts.get('bae.manifest.json')!, texts));
  return describeFiles(texts, name, ending);
}

function removeBuild(text: string, ending: string): string {
  const { files: _files, exports: _exports, keywords, bae, ...rest } = JSON.parse(text) as Record<string, object>;
  const entry = `./src/index.${ending}`;
  return formatJson({
    ...rest,
    private: true,
    keywords,
    exports: entry,
    scripts: { build: 'bae manifest', dev: 'bae dev .', test: 'vitest run' },
    bae: { ...bae, spaces: entry, manifest: './bae.manifest.json', samples: `./src/samples.${ending}` },
  });
}

function addCodeDigest(text: string, files: ScaffoldFiles): string {
  const code = [...files].filter(([path]) => /^src\/(?!samples\.)/.test(path));
  const contents = new Map(code.map(([path, content]) => [path.slice('src/'.length), Buffer.from(content)]));
  return formatJson({ ...(JSON.parse(text) as object), code: digestOfCode(contents) });
}

/** Describes the files: first the view, then the module that it calls, then the others by name. */
function describeFiles(texts: ScaffoldFiles, name: string, ending: string): ReadonlyMap<string, ScaffoldFile> {
  const about = new Map([
    [`src/${name}-space.${ending}`, 'the view: the tools, as a model sees them'],
    [`src/note-store.${ending}`, 'the service: the work that the tools call'],
    [`src/index.${ending}`, 'registers the space: exports it'],
    ['package.json', 'registers the package: "bae" names its modules'],
    ['bae.manifest.json', 'describes the tools; bae manifest rewrites it when they change'],
    [`src/samples.${ending}`, 'what the tests try it with'],
  ]);
  const others = [...texts.keys()].filter((path) => !about.has(path)).toSorted();
  const paths = [...about.keys(), ...others];
  return new Map(paths.map((path) => [path, { text: texts.get(path)!, about: about.get(path) ?? '' }]));
}
