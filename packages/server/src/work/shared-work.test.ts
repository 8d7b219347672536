import { createAgent } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { expect, it, onTestFinished } from 'vitest';
import { makeNotesSpace, temporaryFolder } from '../../test/serve-scripted.ts';
import { openFileStore } from '../store/server-store.ts';
import { makeToken } from '../tokens/token.ts';
import { Workspaces } from '../workspaces/workspaces.ts';
import { LocalNotifier } from './local-work.ts';
import { SharedWork } from './shared-work.ts';

const SIGNALS = { leave: new AbortController().signal, stop: new AbortController().signal };

/** Workers with folders of their own, and a session in the folder `other` with one prompt. */
async function shareSession() {
  const store = openFileStore(temporaryFolder());
  onTestFinished(() => store.close());
  const { token } = makeToken({
    name: 'ci',
    created: new Date(),
    may: ['read'],
    spaces: ['*'],
    folders: ['*'],
    sessionsOf: [],
    budget: {},
  });
  await store.addToken(token);
  const workspace = { type: 'folder', name: 'other' } as const;
  const { id } = await store.createSession({ owner: 'ci', workspace, spaces: ['*'], may: ['read'], budget: {} });
  const prompt = await store.addPrompt(id, { text: 'Hello' });
  const dispatched: string[] = [];
  const reported: string[] = [];
  const makeWorker = (folder: string, offerMs?: number): SharedWork => {
    const folders = new Map([[folder, temporaryFolder()]]);
    const workspaces = new Workspaces({ folders, gitHosts: [], data: temporaryFolder(), env: {} });
    return new SharedWork({
      store,
      notifier: new LocalNotifier(),
      findObstacle: workspaces.findObstacle,
      openAgent: async (session, { wrapApprover: _wrapApprover, memory: _memory, ask: _ask, ...parts }) => {
        await workspaces.open(session);
        const agent = createAgent({ home: makeNotesSpace([]), model: new ScriptedModel(['Hi.']), ...parts });
        return { agent, close: () => agent.close() };
      },
      dispatch: async (session) => void dispatched.push(session),
      report: (error) => reported.push([(error as Error).message, ...(error as { hints: string[] }).hints].join(' ')),
      ...(offerMs !== undefined && { offerMs }),
    });
  };
  return { store, id, prompt: () => store.readPrompt(prompt.id), dispatched, reported, makeWorker };
}

const NO_FOLDER = 'this process has no folder other. name it for this process: --folders other=PATH';

it(
  'a worker without the folder of a session leaves it to another, says so once, and uses up no try',
  { tags: ['long'] },
  async () => {
    const { id, prompt, dispatched, reported, makeWorker } = await shareSession();
    const without = makeWorker('shop');
    await without.work(id, SIGNALS);
    await without.work(id, SIGNALS);
    expect(dispatched).toEqual([id, id]);
    expect(reported).toEqual([NO_FOLDER]);
    expect(await prompt()).toMatchObject({ state: 'queued', tries: 0 });
    await makeWorker('other').work(id, SIGNALS);
    expect(await prompt()).toMatchObject({ state: 'done', outcome: 'answered', tries: 1 });
  },
);

it('a session that no worker can work on fails in the end, with its folder and what to do', async () => {
  const { store, id, prompt, reported, makeWorker } = await shareSession();
  await makeWorker('shop', 0).work(id, SIGNALS);
  expect(await prompt()).toMatchObject({ state: 'done', outcome: 'failed' });
  const end = (await store.readEvents(id, 0, 100)).map(({ event }) => event).at(-1);
  expect(end).toMatchObject({ type: 'prompt-end', text: NO_FOLDER.replace('. ', '.\nTry: ') });
  expect(reported).toEqual([NO_FOLDER]);
});
