import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asModelText, createAgent } from '@bae/core';
import { SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import { API } from 'typescript/unstable/sync';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 5;
const ROOT = resolve(import.meta.dirname, '../..');
const CHANGED = 'src/agent/turn.ts';

/** The type errors of all of core, after a change of one module, take hardly longer than the compiler itself does. */
export async function diagnosticsSpeed(): Promise<readonly Measurement[]> {
  using project = copyOfCore();
  const agent = createAgent({ home: SourceSpace, provide: [provideWorkspace(project.folder)] });
  const compiler = new API({ cwd: project.folder });
  const ask = () => askAgent(agent);
  const check = () => checkAll(compiler, project.folder);
  try {
    // Starting the compilers is no part of it.
    await ask();
    check();
    const { source, direct } = await mediansInTurn(
      { source: () => timeOf(project.change(ask)), direct: () => timeOf(project.change(check)) },
      ROUNDS,
    );
    return [
      { name: 'diagnostics after an edit ÷ TypeScript API', value: source / direct, unit: 'x', limit: { atMost: 1.5 } },
    ];
  } finally {
    compiler.close();
    await agent.close();
  }
}

interface CopyOfCore extends Disposable {
  readonly folder: string;
  /** Changes a module, and then does some work. */
  change<T>(work: () => T): () => T;
}

function copyOfCore(): CopyOfCore {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-core-'));
  const core = join(ROOT, 'packages/core');
  for (const part of ['src', 'test', 'package.json']) cpSync(join(core, part), join(folder, part), { recursive: true });
  symlinkSync(join(core, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  const settings = readFileSync(join(core, 'tsconfig.json'), 'utf8').replace('../../', './');
  writeFileSync(join(folder, 'tsconfig.json'), settings);
  let changes = 0;
  return {
    folder,
    change: (work) => () => {
      appendFileSync(join(folder, CHANGED), `export const added${++changes}: string = 'text';\n`);
      return work();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function askAgent(agent: ReturnType<typeof createAgent>): Promise<void> {
  const { feedback } = await agent.run(asModelText('<diagnostics:>'));
  if (!feedback.includes('\nno type errors')) throw new Error(feedback);
}

function checkAll(compiler: API, folder: string): void {
  const config = join(folder, 'tsconfig.json');
  using snapshot = compiler.updateSnapshot({
    openProjects: [config],
    fileChanges: { changed: [join(folder, CHANGED)] },
  });
  const program = snapshot.getProject(config)!.program;
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
  if (found.length > 0) throw new Error(`${found.length} errors in core`);
}
