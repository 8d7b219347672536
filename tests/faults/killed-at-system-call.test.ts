import { describe, expect, it } from 'vitest';
import { fileOf, type Change } from './change-of-file.ts';
import { InterruptedChange } from './interrupted-change.ts';
import { scratchFolder } from './scratch-folder.ts';
import { Tracer, whyNotTraced, type SystemCall } from './system-calls.ts';

const reason = whyNotTraced();

function startChange(change: Change): InterruptedChange {
  const { path, old } = fileOf(change);
  return new InterruptedChange(scratchFolder(old === null ? {} : { [path]: old }), change);
}

/** Every call of a change that changes something, up to the one that tells of its success. */
async function callsOf(change: Change): Promise<readonly SystemCall[]> {
  const started = startChange(change);
  await started.ready();
  using tracer = new Tracer(started.pid);
  await tracer.attach('main');
  await tracer.attach('disk');
  expect(await started.go()).toBe(true);
  await tracer.end();
  return [...tracer.calls('main'), ...tracer.calls('disk')].filter(({ name, text }) => {
    if (name === 'openat') return text.includes('O_CREAT');
    // Threads wake one another by writing eight bytes.
    return name !== 'write' || !text.endsWith(' = 8');
  });
}

/** What is wrong after the process was killed at a call; undefined when it was killed at another one. */
async function faultsOf(change: Change, { thread, ...call }: SystemCall): Promise<readonly string[] | undefined> {
  const started = startChange(change);
  await started.ready();
  using tracer = new Tracer(started.pid);
  await tracer.attach(thread, call);
  const told = await started.go();
  await tracer.end();
  const faults = (await started.faults(told)).map((fault) => `${call.text}: ${fault}`);
  if (faults.length > 0) return faults;
  const last = tracer.calls(thread).at(-1);
  return last?.number === call.number && descriptorOf(last) === descriptorOf(call) ? [] : undefined;
}

/** The same call in another run. */
async function findAgain(change: Change, call: SystemCall): Promise<SystemCall> {
  const calls = await callsOf(change);
  return calls.find((one) => one.thread === call.thread && descriptorOf(one) === descriptorOf(call)) ?? call;
}

/** A number near that of a call: one more, one less, two more and so on. */
function nextNumber({ number }: SystemCall, attempt: number): number {
  const distance = Math.ceil((attempt % 8) / 2);
  return Math.max(1, attempt % 2 === 1 ? number + distance : number - distance);
}

/** `write(26` of a write, to tell one from another. */
function descriptorOf({ name, text }: Pick<SystemCall, 'name' | 'text'>): string {
  return name === 'write' ? text.slice(0, text.indexOf(',')) : name;
}

describe.skipIf(reason !== undefined)(`a process killed at a system call${reason ? ` (${reason})` : ''}`, () => {
  it.for(['write', 'create', 'edit'] as const)('leaves old or new content: %s', async (change, { annotate }) => {
    const calls = await callsOf(change);
    const names = new Set(calls.map(({ name }) => name));
    for (const name of ['openat', 'write', 'writev', 'fsync', change === 'create' ? 'mkdir' : 'fchmod'])
      expect(names).toContain(name);
    const missed: string[] = [];
    for (const call of calls) {
      let faults: readonly string[] | undefined;
      let place = call;
      for (let attempt = 1; attempt <= 40 && faults === undefined; attempt++) {
        faults = await faultsOf(change, place);
        // How often threads wake one another differs, and with it the number of a write.
        if (faults === undefined && call.name === 'write')
          place = attempt % 4 === 0 ? await findAgain(change, call) : { ...place, number: nextNumber(call, attempt) };
      }
      expect(faults ?? []).toEqual([]);
      if (faults === undefined) missed.push(call.text);
    }
    expect(missed).toEqual([]);
    await annotate(`killed at ${calls.map(({ name }) => name).join(', ')}`);
  });
});
