import { join, relative, resolve } from 'node:path';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import type { CliOptions } from '../command-line/options.ts';
import { isFromRegistry, TEMPLATES } from '../create/bae-copy.ts';
import { createPackage, type PackagePlan } from '../create/new-package.ts';
import { writeScaffold, deriveNames } from '../create/scaffold.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';

/** Runs `bae create`, which creates a package with a working, tested space or agent as a starting point. */
export async function runCreate(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const request = parseCreateArguments(positionals, options, context.root);
  const made = createPackage(request);
  writeScaffold(request.folder, made);
  const { package: name, folder, linked, next } = request;
  const files = [...made.keys()].toSorted();
  const path = relative(terminal.cwd, folder) || '.';
  const quoted = /^[\w./@-]+$/.test(path) ? path : JSON.stringify(path);
  const paint = createPainter(terminal.out);
  printResult(context, { package: name, folder, files, linked, next }, () => [
    `${paint('strong', name)} is made in ${makeLineVisible(path)}:`,
    ...files.map((file) => paint('quiet', `  ${file}`)),
    ...(linked ? ['Its packages are links to this copy of bae; with --no-link they come from the registry.'] : []),
    'Next:',
    ...[`cd ${quoted}`, ...next].map((command) => `  ${command}`),
  ]);
  return 0;
}

const KINDS = ['space', 'agent'];
const AGENT = { layers: ['agent'], next: ['npm install', 'npm test', 'npm start "How were sales?"'] };

export interface ScaffoldRequest extends PackagePlan {
  readonly folder: string;
  /** Commands to run next. */
  readonly next: readonly string[];
}

/**
 * Parses the arguments of `bae create`.
 *
 * @throws UsageError for a wrong kind, a bad name, or options that exclude each other
 */
export function parseCreateArguments(
  positionals: readonly string[],
  options: CliOptions,
  cwd: string,
): ScaffoldRequest {
  const [kind, name, ...more] = positionals;
  if (kind === undefined || name === undefined || more.length > 0) {
    const got = positionals.length === 0 ? '' : `; got ${JSON.stringify(positionals.join(' '))}`;
    const examples = 'bae create space NAME, bae create agent NAME';
    throw new UsageError(`bae create needs a kind and a name${got}: ${examples}.`);
  }
  const unknown = { name: kind, candidates: KINDS };
  if (!KINDS.includes(kind))
    throw new UsageError(`bae create creates a space or an agent; got '${kind}'.`, { unknown });
  checkOptions(kind, options);
  const names = deriveNames(name);
  const linked = options.link || (!options.noLink && !isFromRegistry());
  const plan = kind === 'agent' ? { ...AGENT, package: name } : planSpace(name, options);
  const layers = plan.layers.map((layer) => join(TEMPLATES, layer));
  return { ...plan, layers, names, linked, folder: resolve(cwd, options.dir ?? plan.package) };
}

type Plan = Pick<ScaffoldRequest, 'package' | 'layers' | 'next'>;

function planSpace(name: string, { javascript, noDecorators }: CliOptions): Plan {
  const style = noDecorators ? 'space-definition' : 'space-decorators';
  return {
    package: `bae-resourcespace-${name}`,
    layers: javascript ? ['space', 'space-javascript'] : ['space', 'space-typescript', style],
    next: ['npm install', 'npm run build', 'npm test', 'npm run dev'],
  };
}

function checkOptions(kind: string, { javascript, noDecorators, link, noLink }: CliOptions): void {
  if (kind === 'agent' && (javascript || noDecorators)) {
    const given = javascript ? '--javascript' : '--no-decorators';
    throw new UsageError(`${given} is for spaces; Node runs the TypeScript of an agent as it is.`);
  }
  if (link && noLink) throw new UsageError('--link and --no-link cannot be combined. Give one of them.');
}
