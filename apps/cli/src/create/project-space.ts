import { dirname, join } from 'node:path';
import { digestOfCode } from '@bae/plugins';
import type { ScaffoldFile, SpaceRequest } from '@bae/source';
import { isFromRegistry, isInstalledFor, TEMPLATES } from './bae-copy.ts';
import { createPackage, formatJson } from './new-package.ts';
import type { ScaffoldFiles } from './scaffold-folder.ts';
import { deriveNames } from './scaffold-names.ts';

/** Left out: what is about building and publishing a package. */
const LEFT_OUT = new Set(['README.md', 'tsconfig.build.json', 'vitest.config.ts']);

/** The packages that the code of a space needs when it runs. */
const NEEDED = ['@bae/core', '@bae/workspace', 'zod'];

/** The files of a space, and whether the packages that it needs are there. */
export interface ProjectSpace {
  readonly files: ReadonlyMap<string, ScaffoldFile>;
  readonly isInstalled: boolean;
}

/**
 * A space as a package in a project: of the templates of `bae create`, but run as it is written, with no build.
 *
 * @param folder for it, absolute
 * @throws UsageError when the name does not do
 */
export function scaffoldProjectSpace({ name, language }: SpaceRequest, folder: string): ProjectSpace {
  const names = deriveNames(name);
  const style = language === 'javascript' ? ['space-javascript'] : ['space-typescript', 'space-definition'];
  const layers = ['space', ...style, 'space-in-project'].map((layer) => join(TEMPLATES, layer));
  const linked = !isFromRegistry();
  const made = createPackage({ package: `bae-resourcespace-${name}`, names, layers, linked });
  const ending = language === 'javascript' ? 'js' : 'ts';
  const texts = new Map([...made].filter(([path]) => !LEFT_OUT.has(path)));
  texts.set('package.json', removeBuild(texts.get('package.json')!, ending));
  texts.set('bae.manifest.json', addCodeDigest(texts.get('bae.manifest.json')!, texts));
  return { files: describeFiles(texts, name, ending), isInstalled: isInstalledFor(dirname(folder), NEEDED) };
}

/** A package.json of code that is run as it is written. */
function removeBuild(text: string, ending: string): string {
  const { files: _files, exports: _exports, keywords, bae, ...rest } = JSON.parse(text) as Record<string, object>;
  const entry = `./src/index.${ending}`;
  const samples = `./src/samples.${ending}`;
  return formatJson({
    ...rest,
    private: true,
    keywords,
    exports: entry,
    scripts: { build: 'bae manifest', dev: 'bae dev .', test: 'vitest run' },
    bae: { ...bae, spaces: entry, manifest: './bae.manifest.json', samples },
  });
}

/** A manifest with the digest of the code that it describes. */
function addCodeDigest(text: string, files: ScaffoldFiles): string {
  const code = [...files].filter(([path]) => /^src\/(?!samples\.)/.test(path));
  const digest = digestOfCode(
    new Map(code.map(([path, content]) => [path.slice('src/'.length), Buffer.from(content)])),
  );
  return formatJson({ ...(JSON.parse(text) as object), code: digest });
}

/** The view first, then what it calls, then the rest by name. */
function describeFiles(texts: ScaffoldFiles, name: string, ending: string): ReadonlyMap<string, ScaffoldFile> {
  const about = new Map([
    [`src/${name}-space.${ending}`, 'the view: the tools, as a model sees them'],
    [`src/note-store.${ending}`, 'the service: the work that the tools call'],
    [`src/index.${ending}`, 'registers the space: exports it'],
    ['package.json', 'registers the package: "bae" says where all is'],
    ['bae.manifest.json', 'describes the tools; bae manifest writes it anew when they change'],
    [`src/samples.${ending}`, 'what the tests try it with'],
  ]);
  const others = [...texts.keys()].filter((path) => !about.has(path)).toSorted();
  return new Map(
    [...about.keys(), ...others].map((path) => [path, { text: texts.get(path)!, about: about.get(path) ?? '' }]),
  );
}
