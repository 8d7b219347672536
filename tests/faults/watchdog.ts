import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Runs beside the test: ends the process when its main thread has not been heard of for too long. */
const GUARD = `
const { workerData: { beats, silence } } = require('node:worker_threads');
const asleep = new Int32Array(new SharedArrayBuffer(4));
for (;;) {
  const before = Atomics.load(beats, 0);
  Atomics.wait(asleep, 0, 0, silence);
  if (Atomics.load(beats, 0) !== before) continue;
  require('node:fs').writeSync(2, 'the main thread stood still for ' + silence + ' ms\\n');
  process.kill(process.pid, 'SIGKILL');
}`;
const BEAT = 100;

/** Guards the rest of the test: a main thread that stands still for so many milliseconds is the end of the process. */
export function guardAgainstHanging(silence = 30_000): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(GUARD, { eval: true, workerData: { beats, silence } });
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT);
  onTestFinished(async () => {
    clearInterval(timer);
    await worker.terminate();
  });
}
