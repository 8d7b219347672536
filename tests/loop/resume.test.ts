import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalPolicy, createAgent, type Agent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { Store } from '@bae/store';
import { ScriptedModel } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';

/** One process: a store and an agent over a folder. What is asked for consent is written down. */
function processOver(folder: string, asked: string[]) {
  const store = Store.open(join(folder, '.bae', 'bae.db'));
  onTestFinished(() => store.close());
  const approver = approvalPolicy({
    ask: async ({ tag }) => {
      asked.push(tag);
      return { decision: 'allow', remember: 'tool' };
    },
  });
  const agentOf = (responses: readonly string[], id?: string): Agent => {
    const session = id ?? store.createSession({ cwd: folder });
    return createAgent({
      model: new ScriptedModel(responses),
      home: FilesystemSpace,
      provide: [provideWorkspace(folder, { journal: 'disk' })],
      approver,
      log: store.log(session),
      results: store.results(session),
      ...(id !== undefined && { resume: store.snapshot(id) }),
    });
  };
  return { agentOf };
}

it('goes on after a restart with its answers to questions, and can undo what it did before', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-resume-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asked: string[] = [];
  const first = processOver(folder, asked).agentOf(['<W:a.txt>\none\n</W>', 'Written.']);
  await first.ask('write');
  await first.close();
  expect(asked).toEqual(['<W:a.txt>']);
  const second = processOver(folder, asked).agentOf(['<W:b.txt>\ntwo\n</W>', '<undo:2>', 'Undone.'], first.id);
  expect(second.id).toBe(first.id);
  await second.ask('write and undo');
  // The second write was not asked about: the answer of the first process holds on.
  expect(asked).toEqual(['<W:a.txt>', '<undo:2>']);
  expect([existsSync(join(folder, 'a.txt')), existsSync(join(folder, 'b.txt'))]).toEqual([false, false]);
});
