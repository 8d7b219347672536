import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Every resourcespace package has the same shape: who knows one knows all. */
export function checkResourcespaceShape(repository: Repository): readonly Violation[] {
  return repository.files
    .filter(({ path }) => /^packages\/resourcespaces\/[^/]+\/package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const folder = path.slice(0, -'/package.json'.length);
      return missingIn(repository, folder, text).map((message) => ({ path: folder, message }));
    });
}

function missingIn(repository: Repository, folder: string, manifest: string): readonly string[] {
  const name = folder.split('/').at(-1)!;
  const files = repository.files.filter(({ path }) => path.startsWith(`${folder}/`));
  const has = (path: string): boolean => files.some((file) => file.path === `${folder}/${path}`);
  const { keywords = [], peerDependencies = {} } = JSON.parse(manifest) as {
    readonly keywords?: readonly string[];
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  return [
    ...['README.md', 'src/index.ts', `src/${name}-space.ts`]
      .filter((path) => !has(path))
      .map((path) => `lacks ${path}`),
    ...(keywords.includes('bae-resourcespace') ? [] : ['lacks the keyword bae-resourcespace']),
    ...('@bae/core' in peerDependencies ? [] : ['lacks the peer dependency @bae/core']),
  ];
}
