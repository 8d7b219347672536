import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { EventQueue } from './event-queue.ts';

const answer = (text: string): AgentEvent => ({ type: 'answer', text, label: '1', turn: 1 });

describe('EventQueue', () => {
  it('hands out events pushed before and while someone reads, then ends', async () => {
    const queue = new EventQueue();
    queue.push(answer('a'));
    setTimeout(() => {
      queue.push(answer('b'));
      queue.end();
    }, 1);
    const texts: string[] = [];
    for await (const event of queue.stream(Promise.resolve('b'), () => undefined))
      texts.push(event.type === 'answer' ? event.text : '');
    expect(texts).toEqual(['a', 'b']);
  });

  it('tells the turn when its reader leaves before the end', async () => {
    const queue = new EventQueue();
    queue.push(answer('a'));
    let abandoned = 0;
    for await (const event of queue.stream(Promise.resolve(''), () => abandoned++)) {
      expect(event.type).toBe('answer');
      break;
    }
    expect(abandoned).toBe(1);
  });
});
