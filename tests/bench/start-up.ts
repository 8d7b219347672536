import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { leastInTurn, mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 11;
const PACKAGE = join(import.meta.dirname, '..');
const CLI = join(PACKAGE, '../apps/cli/bin/bae.mjs');

/** Core is not slower to import than zod, by much, and the command answers at once. */
export async function startUp(): Promise<readonly Measurement[]> {
  const imports = await leastInTurn({ core: () => importTime('@bae/core'), zod: () => importTime('zod') }, 2 * ROUNDS);
  const commands = await mediansInTurn(
    { bae: () => timeOf(() => run([CLI, '--version'])), node: () => timeOf(() => run(['-e', '0'])) },
    ROUNDS,
  );
  return [
    { name: 'import @bae/core ÷ import zod', value: imports.core / imports.zod, unit: 'x', limit: { atMost: 1.15 } },
    { name: 'bae --version ÷ node -e 0', value: commands.bae / commands.node, unit: 'x', limit: { atMost: 1.3 } },
  ];
}

/** Milliseconds of processor time that a fresh process spends on one import. */
function importTime(name: string): number {
  const script = `const start = process.cpuUsage(); await import('${name}');
    const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  return Number(run(['--input-type=module', '-e', script]));
}

function run(parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: PACKAGE, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${parameters.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
