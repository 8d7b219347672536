import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeDraftFolder, removeAbandonedDrafts } from './draft-files.ts';

it('removes the drafts of processes that were killed, and nothing else', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'bae-test-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const code = `import { makeDraftFolder } from ${JSON.stringify(join(import.meta.dirname, 'draft-files.ts'))};
    console.log(makeDraftFolder());
    setInterval(() => undefined, 1000);`;
  const other = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], { env: process.env });
  onTestFinished(() => void other.kill('SIGKILL'));
  const [line] = (await once(other.stdout.setEncoding('utf8'), 'data')) as [string];
  const folder = line.trim();
  writeFileSync(join(folder, '1'), 'secret', { mode: 0o600 });
  const own = makeDraftFolder();
  removeAbandonedDrafts();
  expect(readdirSync(temporary).toSorted()).toEqual(
    [folder, own].map((one) => one.slice(temporary.length + 1)).toSorted(),
  );

  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
  const elsewhere = `bae-draft-1-${other.pid}-abcdef`;
  mkdirSync(join(temporary, elsewhere));
  symlinkSync(own, `${folder.slice(0, -6)}linked`);
  mkdirSync(join(temporary, 'bae-draft-x'));
  removeAbandonedDrafts();
  const left = [
    own.slice(temporary.length + 1),
    elsewhere,
    'bae-draft-x',
    `${folder.slice(temporary.length + 1, -6)}linked`,
  ];
  expect(readdirSync(temporary).toSorted()).toEqual(left.toSorted());
});
