import { join, resolve } from 'node:path';
import type { CliOptions } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { isFromRegistry, TEMPLATES } from './bae-copy.ts';
import { scaffoldNames, type ScaffoldNames } from './scaffold-names.ts';

/** What can be made. */
const KINDS = ['space', 'agent'];

/** What is to be made, and how. */
export interface ScaffoldRequest {
  /** Name of the package. */
  readonly package: string;
  readonly names: ScaffoldNames;
  /** Absolute. */
  readonly folder: string;
  /** Folders with templates, later ones in front. */
  readonly layers: readonly string[];
  /** True to link the packages of this copy of bae, false to name those of the registry. */
  readonly linked: boolean;
  /** What can be typed when it is there. */
  readonly next: readonly string[];
}

/**
 * Reads what `bae create` is told.
 *
 * @param cwd folder that the new one is made in
 * @throws UsageError when it is no kind of package, no name, or the options do not fit
 */
export function scaffoldRequest(
  [kind, name, ...more]: readonly string[],
  options: CliOptions,
  cwd: string,
): ScaffoldRequest {
  if (kind === undefined || name === undefined || more.length > 0) throw needsKindAndName([kind, name, ...more]);
  if (!KINDS.includes(kind))
    throw new UsageError(`bae create makes a space or an agent; got '${kind}'.`, {
      unknown: { name: kind, candidates: KINDS },
      command: 'create',
    });
  checkOptions(kind, options);
  const names = scaffoldNames(name);
  const linked = options.link || (!options.noLink && !isFromRegistry());
  const own = kind === 'agent' ? agentPackage(name) : spacePackage(name, options);
  const layers = own.layers.map((layer) => join(TEMPLATES, layer));
  return { ...own, layers, names, linked, folder: resolve(cwd, options.dir ?? own.package) };
}

type OwnParts = Pick<ScaffoldRequest, 'package' | 'layers' | 'next'>;

function spacePackage(name: string, { javascript, noDecorators }: CliOptions): OwnParts {
  const style = noDecorators ? 'space-definition' : 'space-decorators';
  return {
    package: `bae-resourcespace-${name}`,
    layers: javascript ? ['space', 'space-javascript'] : ['space', 'space-typescript', style],
    next: ['npm install', 'npm run build', 'npm test', 'npm run dev'],
  };
}

function agentPackage(name: string): OwnParts {
  return { package: name, layers: ['agent'], next: ['npm install', 'npm test', 'npm start "How were sales?"'] };
}

function checkOptions(kind: string, { javascript, noDecorators, link, noLink }: CliOptions): void {
  if (kind === 'agent' && (javascript || noDecorators)) {
    const given = javascript ? '--javascript' : '--no-decorators';
    throw new UsageError(`${given} is for spaces; Node runs the TypeScript of an agent as it is.`, {
      command: 'create',
    });
  }
  if (link && noLink)
    throw new UsageError('--link and --no-link exclude each other. Give one of them.', { command: 'create' });
}

function needsKindAndName(given: readonly (string | undefined)[]): UsageError {
  const words = given.filter((word) => word !== undefined);
  const got = words.length === 0 ? '' : `; got ${JSON.stringify(words.join(' '))}`;
  return new UsageError(
    `bae create needs what to make and a name${got}: bae create space NAME, bae create agent NAME.`,
    {
      command: 'create',
    },
  );
}
