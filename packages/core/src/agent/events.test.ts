import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { EventHub, EventQueue } from './session.ts';

describe('EventHub', () => {
  it('labels events with session and turn, and logs each before any listener gets it', async () => {
    const order: string[] = [];
    const log = {
      append: async (event: AgentEvent) => void order.push(`log ${event.type} ${event.label} ${event.turn}`),
    };
    const hub = new EventHub('2', log);
    hub.subscribe((event) => void order.push(`hear ${event.type}`));
    hub.turn = 3;
    await hub.emit({ type: 'answer', text: 'hi' });
    expect(order).toEqual(['log answer 2 3', 'hear answer']);
  });

  it('logs nothing that a later event has whole', async () => {
    const logged: string[] = [];
    const hub = new EventHub('1', { append: async ({ type }) => void logged.push(type) });
    await hub.emit({ type: 'response-delta', text: 'h' });
    await hub.emit({ type: 'answer', text: 'hi' });
    expect(logged).toEqual(['answer']);
  });

  it('waits for every listener before the next event', async () => {
    const order: string[] = [];
    const hub = new EventHub('1', undefined);
    hub.subscribe(async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push(event.type);
    });
    await hub.emit({ type: 'turn-start', prompt: 'x' });
    order.push('after');
    expect(order).toEqual(['turn-start', 'after']);
  });

  it('removes a listener that throws and notifies the others', async () => {
    const heard: string[] = [];
    const hub = new EventHub('1', undefined);
    hub.subscribe(() => {
      throw new Error('broken view');
    });
    hub.subscribe((event) => void heard.push(event.type === 'notice' ? event.text : event.type));
    await hub.emit({ type: 'answer', text: 'a' });
    await hub.emit({ type: 'answer', text: 'b' });
    expect(heard).toEqual(['an event listener failed and was removed: Error: broken view', 'answer', 'answer']);
  });

  it('calls no listener that was removed', async () => {
    const heard: string[] = [];
    const hub = new EventHub('1', undefined);
    const stop = hub.subscribe((event) => void heard.push(event.type));
    stop();
    await hub.emit({ type: 'answer', text: 'a' });
    expect(heard).toEqual([]);
  });
});

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
    for await (const event of queue.read(() => undefined)) texts.push(event.type === 'answer' ? event.text : '');
    expect(texts).toEqual(['a', 'b']);
  });

  it('calls abandon when its reader stops before the end', async () => {
    const queue = new EventQueue();
    queue.push(answer('a'));
    let abandoned = 0;
    for await (const event of queue.read(() => abandoned++)) {
      expect(event.type).toBe('answer');
      break;
    }
    expect(abandoned).toBe(1);
  });
});
