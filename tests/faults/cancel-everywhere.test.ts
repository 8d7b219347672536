import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { cancelledTurn, NEXT, type CancelledTurn } from './cancelled-turn.ts';
import { childProcesses, settledHandles } from './left-behind.ts';
import { scratchFolder } from './scratch-folder.ts';
import { Stations } from './stations.ts';

const TIMEOUT_MS = 300_000;
const SETTLES_MS = 250;
const FILES = { 'a.txt': 'first\n', 'c.txt': 'needle\n' };

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: T }>;

function ofType<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T): readonly EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** Goes through the turn up to a point, which cancels it; 0 for none. */
async function cancelAt(fatal: number) {
  const stations = new Stations(fatal, SETTLES_MS);
  const folder = scratchFolder(FILES);
  const turn = cancelledTurn(folder, stations);
  const outcome = await stations
    .inTime(turn.agent.ask('Go.', { signal: stations.signal }))
    .catch((error: unknown) => error);
  return { stations, folder, turn, outcome };
}

/** What is wrong with the events of a turn that was cancelled, before or after its answer had gone out. */
function faultsOfEvents({ agent, events, logged }: CancelledTurn, isOver: boolean): readonly string[] {
  expectBalanced(events);
  const wrong: string[] = [];
  const [end, ...more] = ofType(events, 'turn-end');
  if (more.length > 0 || events.at(-1) !== end) wrong.push('a turn-end is not the last event');
  if (end?.outcome !== (isOver ? 'answered' : 'aborted')) wrong.push(`outcome ${end?.outcome}`);
  if (!isOver && ofType(logged, 'answer').length > 0) wrong.push('an answer came late');
  const ran = ofType(events, 'call-end').filter(hasRun).length;
  if (end?.totals.calls !== ran) wrong.push(`${end?.totals.calls} calls counted of ${ran}`);
  const responses = ofType(events, 'response-end');
  const tokens = responses.reduce((sum, { usage }) => sum + usage.outputTokens, 0);
  if (end!.totals.outputTokens < tokens) wrong.push(`${end?.totals.outputTokens} tokens counted of ${tokens}`);
  const whole = events.filter(({ type }) => type !== 'response-delta' && type !== 'call-progress');
  if (logged.length !== whole.length) wrong.push(`${logged.length} events logged, ${whole.length} to be logged`);
  const place = ofType(events, 'space-enter').at(-1)?.to ?? 'home';
  if (place !== (agent.location.join('.') || 'home')) wrong.push(`nobody was told that the location is not ${place}`);
  return wrong;
}

function hasRun({ text }: { readonly text: string }): boolean {
  return !text.includes('the turn was cancelled');
}

/** What the next send does not say about what ran. */
function untold({ events, begun }: CancelledTurn, sent: string): readonly string[] {
  const wrong: string[] = [];
  const told = (text: string): void => {
    if (!sent.includes(text)) wrong.push(`the model is not told: ${text}`);
  };
  for (const { tag, space, ok, text } of ofType(events, 'call-end')) {
    if (!hasRun({ text }) || tag === '<work:3>') continue;
    told(`${tag} [${space}] ${ok ? 'ok' : 'AbortError'}\n${text}`);
  }
  for (const { output } of ofType(events, 'run-end')) if (hasRun({ text: output })) told(output);
  for (const work of begun) told(work.replace('work ', work === 'work 3' ? '' : '<work:'));
  return wrong;
}

function faultsOfFiles(folder: string, events: readonly AgentEvent[]): readonly string[] {
  const path = join(folder, 'b.txt');
  const wrote = ofType(events, 'call-end').find(({ tag }) => tag === '<W:b.txt>');
  if (!existsSync(path)) return wrote?.ok === true ? ['b.txt is not there'] : [];
  if (readFileSync(path, 'utf8') !== 'new\n') return ['b.txt is half written'];
  return wrote === undefined || !hasRun(wrote) ? ['b.txt was written afterwards'] : [];
}

async function faultsAt(fatal: number): Promise<readonly string[]> {
  const { stations, folder, turn, outcome } = await cancelAt(fatal);
  const isOver = stations.passed.slice(0, fatal).includes('log answer');
  const before = [...turn.events];
  const wrong = [...faultsOfEvents(turn, isOver)];
  if (isOver ? outcome !== 'Done.' : (outcome as Error).name !== 'AbortError')
    wrong.push(`it settled with ${String(outcome)}`);
  const place = breadcrumb(turn);
  const answer = await turn.agent.ask('And now?');
  if (answer !== NEXT) wrong.push(`the next answer is ${answer}`);
  const sent = turn.lastSend();
  const all = sent.map(({ text }) => text).join('\n');
  wrong.push(...untold({ ...turn, events: before }, all), ...faultsOfFiles(folder, before));
  const last = sent.at(-1)?.text ?? '';
  if (!last.startsWith(place) || !last.endsWith('And now?')) wrong.push(`the prompt is sent as ${last}`);
  if (!isOver && !last.includes('[Note] The turn before was cancelled by the user.'))
    wrong.push('the cancellation is not told');
  const late = turn.events.slice(before.length).filter((event) => event.turn === 1);
  if (late.length > 0) wrong.push(`afterwards came ${late.map(({ type }) => type).join(', ')}`);
  expectBalanced(turn.events);
  return wrong.map((text) => `${fatal} (${stations.passed.at(fatal - 1)}): ${text}`);
}

function breadcrumb({ agent }: CancelledTurn): string {
  return `[Location: ${['home', ...agent.location].join(' > ')}]`;
}

describe('a turn', () => {
  it('can be cancelled at everything it waits for', { timeout: TIMEOUT_MS }, async ({ annotate }) => {
    const whole = await cancelAt(0);
    expect(whole.outcome).toBe('Done.');
    const points = whole.stations.passed;
    for (const seam of [
      'pause',
      'consent',
      'enter',
      'status',
      'work 3',
      'run on',
      'get end',
      'record message',
      'log call-end',
    ])
      expect(points).toContain(seam);
    const before = await settledHandles();
    const wrong: string[] = [];
    for (let fatal = 1; fatal <= points.length; fatal++) {
      const faults = faultsAt(fatal).catch((error: unknown) => [`${fatal} (${points[fatal - 1]}): ${String(error)}`]);
      wrong.push(...(await faults));
    }
    expect(wrong).toEqual([]);
    expect(await settledHandles()).toEqual(before);
    expect(childProcesses()).toEqual([]);
    await annotate(`${points.length} points`);
  });
});
