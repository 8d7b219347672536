// @module-tag long

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { openPlace, temporaryFolder } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';
import { GitSpace } from './git/git-space.ts';
import { ScriptsSpace } from './scripts/scripts-space.ts';

const FILES = {
  'package.json': '{"workspaces": ["lib"], "scripts": {"show": "node -p 1"}}',
  'lib/package.json': '{"name": "lib", "scripts": {"show": "node -p 1", "lint": "node -p 1"}}',
  'lib/a.txt': 'one\n',
};

it.each([
  [TerminalSpace, '<exec:cat lib/a.txt>', ['lib/a.txt']],
  [TerminalSpace, '<exec:cat a.txt folder=lib>', ['lib', 'lib/a.txt']],
  [TerminalSpace, '<exec:git log --output=lib/a.txt>', ['lib/a.txt']],
  [TerminalSpace, '<sh:cd lib && cat "a.txt">', ['lib']],
  [TerminalSpace, '<exec:echo "see lib/a.txt">', undefined],
  [TerminalSpace, '<exec:cat lib/none.txt>', undefined],
  [TerminalSpace, '<exec:cat /etc/hosts>', undefined],
  [GitSpace, '<status:path=lib>', ['lib']],
  [GitSpace, '<diff:lib/a.txt>', ['lib/a.txt']],
  [GitSpace, '<log:path=lib>', ['lib']],
  [GitSpace, '<show:HEAD:lib/a.txt>', ['lib/a.txt']],
  [GitSpace, '<show:path=lib>', ['lib']],
  [GitSpace, '<blame:lib/a.txt>', ['lib/a.txt']],
  [GitSpace, '<commit:Two files=lib/a.txt>', ['lib/a.txt']],
  [GitSpace, '<log:>', undefined],
  [ScriptsSpace, '<R:show package=lib>', ['lib']],
  [ScriptsSpace, '<run_script:show package=lib>', ['lib']],
  [ScriptsSpace, '<run_script:"show lib/a.txt">', ['lib/a.txt']],
  [ScriptsSpace, '<check:package=lib>', ['lib']],
  [ScriptsSpace, '<run_script:show>', undefined],
])('%o: %s is about the files that it names', async (space, tag, files) => {
  const folder = temporaryFolder(FILES);
  const git = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'First'],
  ])
    spawnSync('git', [...git, ...args], { cwd: folder });
  const { sendAll } = openPlace(space, folder);
  const [result] = await sendAll(tag);
  expect({ files: result?.files?.toSorted(), text: result?.text }).toEqual({ files, text: result?.text });
});
