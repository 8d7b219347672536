import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAgent } from './create-agent.ts';
import { resourcespace, defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import type { Resourcespace, SpaceLifetime } from '../protocol/resourcespace.ts';

const heard: string[] = [];
let fail: Error | undefined;

@resourcespace({ name: 'line', description: 'A connection.' })
class Line implements Resourcespace {
  #isOpen = false;

  onOpen({ signal, background }: SpaceLifetime) {
    heard.push('open');
    if (fail !== undefined) throw fail;
    this.#isOpen = true;
    background(async (ended) => {
      await sleep(60_000, undefined, { signal: ended }).catch(() => heard.push(`ended ${String(ended === signal)}`));
    });
  }

  enter() {
    return this.#isOpen ? 'open' : 'closed';
  }

  @tool({ description: 'What was said.', params: {}, effect: 'read' })
  read() {
    return this.#isOpen ? 'hello' : 'closed';
  }

  dispose() {
    heard.push('dispose');
  }
}

async function run(text: string, agent = createAgent({ spaces: [Line] })) {
  const { calls } = await agent.run(asModelText(text));
  return { agent, texts: calls.map(({ result }) => result.text) };
}

it('a space is opened once, by what comes first, and its work in the background ends with the session', async () => {
  heard.length = 0;
  const { agent, texts } = await run('<line.R:>\n@line()');
  expect(texts[0]).toBe('hello');
  expect(texts[1]).toContain('A connection. open');
  expect(heard).toEqual(['open']);
  await agent.close();
  await agent.close();
  expect(heard.slice(1).toSorted()).toEqual(['dispose', 'ended true']);
});

it('nothing is opened that is not used', async () => {
  heard.length = 0;
  const { agent } = await run('<R:>');
  await agent.close();
  expect(heard).toEqual(['dispose']);
});

it('what keeps it from opening is the result of the call, and the next one tries again', async () => {
  heard.length = 0;
  fail = new Error('the host is down');
  const { agent, texts } = await run('<line.R:>\n@line()');
  expect(texts[0]).toBe('ResourceError: line could not be opened: Error: the host is down\nTry: @line()');
  expect(texts[1]).toContain('the host is down');
  fail = undefined;
  expect((await run('<line.R:>', agent)).texts).toEqual(['hello']);
  expect(heard).toEqual(['open', 'open', 'open']);
});

it('what fails in the background ends nothing, and is read by who enters next', async () => {
  @resourcespace({ name: 'feed', description: 'News.' })
  class Feed implements Resourcespace {
    onOpen({ background }: SpaceLifetime) {
      background(() => Promise.reject(new Error('the feed is gone')));
    }
    enter() {
      return '3 news';
    }
  }
  const agent = createAgent({ spaces: [Feed] });
  await run('@feed()', agent);
  const { texts } = await run('@home()\n@feed()', agent);
  expect(texts[1]).toContain('3 news Stopped in the background: Error: the feed is gone');
});

it('is not asked about its state before it is open, nor afterwards', async () => {
  let rows: readonly string[] | undefined;
  const table = defineResourcespace({
    name: 'table',
    description: 'Rows.',
    onOpen: () => void (rows = ['a']),
    status: () => ({ rows: rows!.length }),
    running: () => rows!.map((id) => ({ id, title: id, ms: 0, stop: async () => undefined })),
    isIdle: () => rows!.length === 1,
    dispose: () => void (rows = undefined),
    tools: { read: tool('A row.', {}, () => rows![0]) },
  });
  const { agent } = await run('<R:>', createAgent({ spaces: [{ name: 'table', create: () => table }] }));
  const space = agent.tree.at(['table'])!;
  const ask = () => [space.status!(), space.running!(), space.isIdle!()];
  expect(ask()).toEqual([{}, [], false]);
  expect((await run('<table.R:>', agent)).texts).toEqual(['a']);
  expect(ask()).toEqual([{ rows: 1 }, [expect.objectContaining({ id: 'a' })], true]);
  await agent.close();
  expect(ask()).toEqual([{}, [], false]);
});
