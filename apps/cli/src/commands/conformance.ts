import { checkResourcespace, type ConformanceReport, type ResourcespaceContractOptions } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';
import { UsageError } from '../arguments/usage-error.ts';
import { workingFolder } from '../config/settings.ts';
import { findPackage, type FoundPackage } from '../conformance/find-package.ts';
import { loadSpaces, type LoadedSpace } from '../conformance/load-spaces.ts';
import { renderCheck, renderScore } from '../conformance/render-check.ts';
import { inSilence } from '../conformance/silence.ts';
import { temporaryFolder } from '../conformance/temporary-folder.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { CommandContext } from './command.ts';

/** What became of one of the spaces. */
interface SpaceReport extends ConformanceReport {
  /** Name of the export. */
  readonly space: string;
}

/** `bae conformance`: tries the spaces of a package, and says what is missing and how to mend it. */
export async function runConformance(context: CommandContext): Promise<number> {
  const { positionals, options, terminal, signal } = context;
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) throw needsOnePackage(positionals);
  const found = await findPackage(named, workingFolder(options, terminal.cwd));
  const reports: SpaceReport[] = [];
  await inSilence(async (aloud) => {
    const print = (lines: readonly string[]): void => {
      signal.throwIfAborted();
      if (!options.json && lines.length > 0) aloud(() => terminal.out.write(`${lines.join('\n')}\n`));
    };
    for (const space of await spacesOf(found)) reports.push(await check(space, print, painterFor(terminal.out)));
  });
  if (options.json) terminal.out.write(`${JSON.stringify(reports)}\n`);
  return reports.some(({ checks }) => checks.some(({ status }) => status === 'failed')) ? 1 : 0;
}

/** What a function makes has to be made to know its name: in a folder that is gone again then. */
async function spacesOf(found: FoundPackage): Promise<readonly LoadedSpace[]> {
  const { path, remove } = temporaryFolder();
  try {
    return await loadSpaces(found, [provideWorkspace(path)]);
  } finally {
    remove();
  }
}

async function check(
  space: LoadedSpace,
  print: (lines: readonly string[]) => void,
  paint: Painter,
): Promise<SpaceReport> {
  print([paint('strong', space.name)]);
  const report = await checkResourcespace(contractOf(space), (one) => print(renderCheck(one, paint)));
  if (report.checks.some(({ status }) => status === 'not-opened')) print([howToMake(space.name)]);
  print([renderScore(report), '']);
  return { space: space.name, ...report };
}

/** What the author says, and for the rest a space of its own in an empty folder of its own each time. */
function contractOf(space: LoadedSpace): ResourcespaceContractOptions {
  const create = () => {
    const { path, remove } = temporaryFolder();
    const provide = [provideWorkspace(path)];
    return { space: space.make(provide), provide, dispose: remove };
  };
  return { create, ...space.given };
}

function needsOnePackage(positionals: readonly string[]): UsageError {
  const got = positionals.length === 0 ? '' : `; got ${positionals.length}`;
  return new UsageError(`bae conformance needs one package${got}: bae conformance PACKAGE, or ./FOLDER.`, {
    command: 'conformance',
  });
}

function howToMake(name: string): string {
  return (
    `To make it in another way, give package.json "bae": { "samples": "./samples.js" }, ` +
    `and that module: export const ${name} = { create: () => … };`
  );
}
