import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveModel, type ModelServer } from './model-server.ts';
import { runBae } from './run-bae.ts';

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-memory-'));
  writeFileSync(join(cwd, 'server.ts'), 'const port = 3000;\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

/** A session in which the model says one thing after the other; returns what it was sent last. */
async function ask(prompt: string, ...script: readonly string[]): Promise<string> {
  await server?.close();
  server = await serveModel(script);
  await runBae(['ask', prompt, '--yes', ...server.args], { cwd });
  return server.prompts.at(-1)!;
}

it('a later session finds what an earlier one learnt, and is told when it is no longer true', async () => {
  await ask(
    'Where is the port?',
    '<R:server.ts>',
    '<memory.facts.W:PORT>The port is set in server.ts:1</W>',
    'In server.ts.',
  );
  expect(await ask('And now?', '<memory.facts.R:PORT>', 'The same.')).toContain('PORT -- verified');
  writeFileSync(join(cwd, 'server.ts'), 'const port = 8080;\n');
  const sent = await ask('Is it still?', '<memory.facts.R:PORT>', 'No.');
  expect(sent).toContain('unverified: server.ts changed');
  expect(sent).toContain('- 1| const port = 3000;\n+ 1| const port = 8080;');
});

it('a later session searches earlier ones', async () => {
  await ask('Where is the port?', 'The port is in server.ts.');
  const sent = await ask('What did I ask before?', '<memory.R:>\n<memory.Grep:port>', 'About the port.');
  expect(sent).toContain('"Where is the port?"');
  expect(sent).toMatch(/#\d+ \d\d:\d\d ai> The port is in server\.ts\./);
});
