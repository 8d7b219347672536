import { relative } from 'node:path';
import { workingFolder } from '../config/settings.ts';
import { newPackage } from '../create/new-package.ts';
import { writeScaffold } from '../create/scaffold-folder.ts';
import { scaffoldRequest, type ScaffoldRequest } from '../create/scaffold-request.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { CommandContext } from './command.ts';

/** `bae create`: makes a package with a space, or an agent, that works, is tested, and can be changed from there. */
export async function runCreate({ positionals, options, terminal }: CommandContext): Promise<number> {
  const cwd = workingFolder(options, terminal.cwd);
  const request = scaffoldRequest(positionals, options, cwd);
  const files = newPackage(request);
  writeScaffold(request.folder, files);
  const { folder, linked, next } = request;
  const report = { package: request.package, folder, files: [...files.keys()].toSorted(), linked, next };
  if (options.json) terminal.out.write(`${JSON.stringify(report)}\n`);
  else
    terminal.out.write(
      `${lines(request, report.files, { cwd: terminal.cwd, paint: painterFor(terminal.out) }).join('\n')}\n`,
    );
  return 0;
}

function lines(
  { package: name, folder, linked, next }: ScaffoldRequest,
  files: readonly string[],
  { cwd, paint }: { readonly cwd: string; readonly paint: Painter },
): readonly string[] {
  const path = relative(cwd, folder) || '.';
  const quoted = /^[\w./@-]+$/.test(path) ? path : JSON.stringify(path);
  return [
    `${paint('strong', name)} is made in ${visibleLine(path)}:`,
    ...files.map((file) => paint('quiet', `  ${file}`)),
    ...(linked ? ['Its packages are links to this copy of bae; with --no-link they come from the registry.'] : []),
    'Next:',
    ...[`cd ${quoted}`, ...next].map((command) => `  ${command}`),
  ];
}
