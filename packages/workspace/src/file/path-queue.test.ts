import { describe, expect, it } from 'vitest';
import { PathQueue } from './path-queue.ts';

describe('PathQueue', () => {
  it('does the work on one thing in turn, also after a failure, and on two things at once', async () => {
    const queue = new PathQueue();
    const log: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} begins`);
        await new Promise(setImmediate);
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      };
    const all = [queue.run('a', work('1', true)), queue.run('a', work('2')), queue.run('b', work('3'))];
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log.indexOf('2 begins')).toBeGreaterThan(log.indexOf('1 ends'));
    expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'));
  });
});
