import { createAgent, defineResourcespace, type Agent, type AgentEvent } from '@bae/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { actOnWork, type WorkScreen, RunningMenu } from './running-menu.ts';
import { RunningWork, type QueuedPrompt } from './running-work.ts';

/** A shell with a turn, a call, two commands in the background, and prompts that wait; and what was cancelled. */
function openWork({ queued = ['And then?'] }: { readonly queued?: readonly string[] } = {}) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const cancelled: string[] = [];
  const started = performance.now();
  const unstoppable = new Set<string>();
  const commands = new Map(['npm start', 'npm test'].map((title, index) => [String(index + 1), title]));
  const running = () =>
    Array.from(commands, ([id, title]) => ({
      id,
      title,
      ms: performance.now() - started,
      stop: async () => {
        if (unstoppable.has(title)) throw new Error('it does not answer');
        commands.delete(id);
        cancelled.push(title);
      },
    }));
  const terminal = { ...defineResourcespace({ name: 'terminal', description: 'Commands.', tools: {} }), running };
  const agent: Agent = createAgent({ spaces: [terminal] });
  onTestFinished(() => agent.close());
  const waiting: QueuedPrompt[] = queued.map((text) => ({ text, at: started }));
  const queue = {
    list: () => waiting,
    remove: (prompt: QueuedPrompt) => void waiting.splice(waiting.indexOf(prompt), 1),
  };
  const work = new RunningWork([agent], queue);
  const end = work.begin(agent, 'What is in b.txt?', () => {
    cancelled.push('the turn');
    end();
  });
  const { id: agentId, label, location } = agent;
  const cancel = (id: string) => cancelled.push(`call ${id}`) > 0;
  const callable: Pick<Agent, 'id' | 'label' | 'location' | 'cancel'> = { id: agentId, label, location, cancel };
  const start = (id: string, event: object = { type: 'call-start', tag: `<R:${id}.txt>`, verb: 'read' }) =>
    work.follow(callable, { id, label: '1', turn: 1, space: 'home', arguments: {}, ...event } as AgentEvent);
  start('3');
  vi.advanceTimersByTime(12_345);
  const printed: string[] = [];
  const screen: WorkScreen = { columns: () => 80, rows: () => 24, print: (line) => void printed.push(line) };
  return { work, waiting, cancelled, printed, screen, commands, unstoppable, end, start };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the menu of what runs', () => {
  it('lists everything with its age and place, and what waits', () => {
    const { work, screen } = openWork();
    expect(new RunningMenu(work, screen).render()).toEqual([
      '› 1  12 s  home      ai:1 What is in b.txt?',
      '  2  12 s  home      ai:1:<R:3.txt>',
      '  3  12 s  terminal  npm start',
      '  4  12 s  terminal  npm test',
      '  5  12 s            queued: And then?',
      '#=cancel Enter=cancel 1 ^C=all esc=back',
    ]);
  });

  it.each([
    ['1', 'the turn'],
    ['2', 'call 3'],
    ['4', 'npm test'],
  ])('cancels %s by its number, and nothing else', async (key, name) => {
    const { work, screen, cancelled, waiting } = openWork();
    expect(new RunningMenu(work, screen).press(key)).toBe('stay');
    await settle();
    expect([cancelled, waiting.length]).toEqual([[name], 1]);
  });

  it('cancels what arrows choose, and a prompt before it is sent', async () => {
    const { work, screen, cancelled, waiting, printed } = openWork();
    const menu = new RunningMenu(work, screen);
    for (const key of ['down', 'down', 'up', 'down', 'return']) menu.press(key);
    await settle();
    expect(cancelled).toEqual(['npm start']);
    // The next one is chosen then.
    expect(menu.render()).toContain('› 4  12 s  terminal  npm test');
    for (const key of ['down', 'down', 'return']) menu.press(key);
    await settle();
    expect(waiting).toEqual([]);
    expect(printed).toEqual(['cancelled npm start', 'cancelled queued: And then?']);
  });

  it('keeps the numbers while it is open, also for what begins later', async () => {
    const { work, screen, start } = openWork({ queued: [] });
    const menu = new RunningMenu(work, screen);
    menu.press('3');
    await settle();
    start('7');
    expect(menu.render().map((row) => row.slice(2, 3))).toEqual(['1', '2', '5', '4', 'c']);
    expect(new RunningMenu(work, screen).render()[2]).toContain('3   0 s  home      ai:1:<R:7.txt>');
  });

  it('turns pages of five, each within the width', () => {
    const { work, screen } = openWork({
      queued: Array.from({ length: 6 }, (_, index) => `prompt ${index} `.repeat(9)),
    });
    const menu = new RunningMenu(work, { ...screen, columns: () => 40 });
    expect(menu.render().at(-1)).toMatch(/^page 1 of 2, /);
    menu.press('right');
    expect(menu.render()).toEqual([
      '›  6  12 s    queued: prompt 1 prompt …',
      '   7  12 s    queued: prompt 2 prompt …',
      '   8  12 s    queued: prompt 3 prompt …',
      '   9  12 s    queued: prompt 4 prompt …',
      '  10  12 s    queued: prompt 5 prompt …',
      'page 2 of 2, #=cancel Enter=cancel 6 ^…',
    ]);
    menu.press('left');
    expect(menu.render()[0]).toMatch(/^› 1 /);
  });

  it('Ctrl-C cancels all, Escape nothing, and another key is for the text', async () => {
    const { work, screen, cancelled, waiting } = openWork();
    const menu = new RunningMenu(work, screen);
    expect([menu.press('escape'), menu.press('x')]).toEqual(['close', 'pass']);
    expect(cancelled).toEqual([]);
    expect(menu.press('ctrl-c')).toBe('close');
    await settle();
    expect(cancelled.toSorted()).toEqual(['npm start', 'npm test', 'the turn']);
    expect(waiting).toEqual([]);
  });

  it('lists a run block, and not its calls', () => {
    const { work, start } = openWork({ queued: [] });
    start('4', { type: 'run-start', code: '\nfor (;;)\n  read("a.txt");' });
    start('5');
    const titles = work.list().map(({ title }) => title);
    expect(titles).toContain('ai:1:run for (;;)\n  read("a.txt");');
    expect(titles.some((title) => title.includes('<R:5'))).toBe(false);
    start('4', { type: 'run-end' });
    start('6');
    expect(work.list().map(({ title }) => title)).toEqual(
      expect.arrayContaining(['ai:1:<R:6.txt>']) as readonly string[],
    );
    expect(work.list().some(({ title }) => title.startsWith('ai:1:run'))).toBe(false);
  });
});

describe('/tasks without a menu', () => {
  it('prints what runs, and cancels by number', async () => {
    const { work, screen, printed, cancelled } = openWork();
    expect(actOnWork([], work, screen)).toBe(true);
    expect(printed[3]).toBe('4  12 s  terminal  npm test');
    expect(actOnWork(['cancel', '4'], work, screen)).toBe(true);
    await settle();
    expect(cancelled).toEqual(['npm test']);
    expect(printed.at(-1)).toBe('cancelled npm test');
    // The numbers are still those of the list.
    actOnWork(['cancel', '5'], work, screen);
    await settle();
    expect(printed.at(-1)).toBe('cancelled queued: And then?');
    actOnWork(['cancel', 'all'], work, screen);
    await settle();
    expect(cancelled).toEqual(['npm test', 'npm start', 'the turn']);
  });

  it('says what could not be cancelled, and cancels the rest', async () => {
    const { work, screen, printed, cancelled, unstoppable } = openWork();
    unstoppable.add('npm test');
    actOnWork([], work, screen);
    actOnWork(['cancel', 'all'], work, screen);
    await settle();
    expect(printed.slice(-3)).toEqual([
      'cancelled queued: And then?',
      'npm test could not be cancelled: it does not answer',
      'cancelled npm start',
    ]);
    expect(cancelled).toEqual(['npm start', 'the turn']);
  });

  it.each([
    [
      ['cancel', '9'],
      'nothing that runs has the number 9; a task that you share with agents is cancelled by /tasks edit 9 status=cancelled. /tasks shows what runs; /tasks cancel 1 cancels the first, /tasks cancel all everything.',
    ],
    [
      ['cancel'],
      'cancel what? /tasks shows what runs; /tasks cancel 1 cancels the first, /tasks cancel all everything.',
    ],
  ])('explains %j', (words, text) => {
    const { work, screen, printed } = openWork();
    expect(actOnWork(words, work, screen)).toBe(true);
    expect(printed).toEqual([text]);
  });

  it('leaves other words, and an empty list, to the tasks of the folder', () => {
    const { work, screen, printed } = openWork();
    expect(actOnWork(['list'], work, screen)).toBe(false);
    expect(actOnWork([], new RunningWork([]), screen)).toBe(false);
    expect(printed).toEqual([]);
  });
});
