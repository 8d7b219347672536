import { pathToFileURL } from 'node:url';
import { ConfigurationError, type Provision } from '@bae/core';
import { importPlugin } from '@bae/plugins';
import {
  checkPackage,
  checkResourcespace,
  type CheckReport,
  type ConformanceReport,
  type ResourcespaceContractOptions,
} from '@bae/testing';
import { provideDataFolder, provideWorkspace } from '@bae/workspace';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { makeTemporaryFolder } from '../config/disk.ts';
import { listExportedSpaces, type MadeSpace, findPackage, type FoundPackage } from '../dev/dev-package.ts';
import { createPainter, makeLineVisible, type Paint, type Painter } from '../terminal/terminal-text.ts';

const WITH_SAMPLES = 'To make it in another way, give package.json "bae": { "samples": "./samples.js" },';

/** Runs `bae conformance`, which tests the spaces of a package and prints what is missing and how to add it. */
export async function runConformance(context: CommandContext): Promise<number> {
  const { positionals, options, terminal, signal } = context;
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) {
    const got = named === undefined ? '' : `; got ${positionals.length}`;
    throw new UsageError(`bae conformance needs one package${got}: bae conformance PACKAGE, or ./FOLDER.`);
  }
  const found = await findPackage(named, context.root);
  const reports: (ConformanceReport & { readonly space: string })[] = [];
  const print = (lines: readonly string[]): void => {
    signal.throwIfAborted();
    if (!options.json && lines.length > 0) terminal.out.write(`${lines.join('\n')}\n`);
  };
  const paint = createPainter(terminal.out);
  const hear = (one: CheckReport): void => print(renderCheck(one, paint));
  await runSilenced(async () => {
    const contracts = await listContracts(found);
    const { exports } = await importPlugin(found);
    if (exports['options'] !== undefined || exports['hooks'] !== undefined) {
      print([paint('strong', 'options and hooks')]);
      const { provide, remove } = makeFolders();
      const report = await checkPackage(exports, { provide: () => provide }, hear);
      remove();
      print([renderScore(report), '']);
      reports.push({ space: found.name, ...report });
    }
    for (const [name, contract] of contracts) {
      print([paint('strong', name)]);
      const report = await checkResourcespace(contract, hear);
      const remedy = `and that module: export const ${name} = { create: () => … };`;
      if (report.checks.some(({ status }) => status === 'not-opened')) print([`${WITH_SAMPLES} ${remedy}`]);
      print([renderScore(report), '']);
      reports.push({ space: name, ...report });
    }
  });
  if (options.json) terminal.out.write(`${JSON.stringify(reports)}\n`);
  return reports.some(({ checks }) => checks.some(({ status }) => status === 'failed')) ? 1 : 0;
}

/** Opens the spaces once, in a temporary folder, to learn their names. Their author may adjust how they are tested. */
async function listContracts(
  found: FoundPackage,
): Promise<readonly (readonly [name: string, contract: ResourcespaceContractOptions])[]> {
  const { provide, remove } = makeFolders();
  try {
    const spaces = listExportedSpaces(await importPlugin(found), provide);
    const samples = found.samples === undefined ? {} : await importSamples(found.samples);
    return spaces.map(({ name, make }) => [name, { create: () => createInFolder(make), ...samples[name] }]);
  } finally {
    remove();
  }
}

/** Creates folders for the user's files and for the data of the package. */
function makeFolders(): { readonly provide: readonly Provision[]; readonly remove: () => void } {
  const [files, data] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const remove = (): void => [files, data].forEach((folder) => folder.remove());
  return { provide: [provideWorkspace(files.path), provideDataFolder(data.path)], remove };
}

function createInFolder(make: MadeSpace['make']) {
  const { provide, remove } = makeFolders();
  return { space: make(provide), provide, dispose: remove };
}

type Samples = Readonly<Record<string, Partial<ResourcespaceContractOptions> | undefined>>;

async function importSamples(path: string): Promise<Samples> {
  try {
    return (await import(pathToFileURL(path).href)) as Samples;
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new ConfigurationError(`${path} cannot be loaded: ${reason}.`, ['npm run build'], error);
  }
}

const MARKS: Readonly<Partial<Record<CheckReport['status'], readonly [Paint, string]>>> = {
  passed: ['code', '✓'],
  failed: ['error', '✗'],
  'not-run': ['strong', '?'],
  skipped: ['quiet', '-'],
};

/** Renders a check as lines for people; empty if there was nothing to test. */
export function renderCheck(check: CheckReport, paint: Painter): readonly string[] {
  const mark = MARKS[check.status];
  return mark === undefined
    ? []
    : [`${paint(...mark)} ${check.name}`, ...listDetails(check).map((text) => `    ${makeLineVisible(text)}`)];
}

function listDetails(check: CheckReport): readonly string[] {
  if (check.status === 'failed') return check.complaints;
  if (check.status === 'not-run') return [`not tried; to try it, give ${check.add}`];
  return check.status === 'skipped' ? [`left out: ${check.reason}`] : [];
}

/** Renders a score such as `24 of 26 (92 %); 1 failed, 1 not tried`. */
export function renderScore({ checks, score: { passed, of } }: ConformanceReport): string {
  const count = (status: CheckReport['status']): number => checks.filter((check) => check.status === status).length;
  const untried = count('not-run') + count('not-opened');
  const share = of === 0 ? 100 : Math.floor((passed / of) * 100);
  const rest = [
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(untried > 0 ? [`${untried} not tried`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} left out`] : []),
  ];
  return `${passed} of ${of} (${share} %)${rest.length === 0 ? '' : `; ${rest.join(', ')}`}`;
}

const STREAMS = [process.stdout, process.stderr];

/** Runs foreign code and discards its output. The terminal of bae is not affected. */
async function runSilenced(work: () => Promise<void>): Promise<void> {
  const writes = STREAMS.map((stream): typeof stream.write => stream.write.bind(stream));
  for (const stream of STREAMS) stream.write = discard;
  try {
    await work();
  } finally {
    STREAMS.forEach((stream, index) => (stream.write = writes[index]!));
  }
}

/** A `write` that only calls its callback. */
function discard(...args: readonly unknown[]): boolean {
  const done = args.at(-1);
  if (typeof done === 'function') queueMicrotask(() => (done as () => void)());
  return true;
}
