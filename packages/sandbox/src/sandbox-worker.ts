import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import type { FromThread, ThreadSettings, ToThread } from './message.ts';
import { BlockRun, type BlockRunOptions } from './worker/block-run.ts';
import { Machine } from './worker/machine.ts';
import { prepareCode } from './worker/prepare-code.ts';

const port = parentPort as MessagePort;
const settings = workerData as ThreadSettings;
const signal = new Int32Array(settings.signal);

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  port.postMessage(message);
}

function receive(): ToThread | undefined {
  return receiveMessageOnPort(port)?.message as ToThread | undefined;
}

/** Waits without the event loop, which would take as long again as the way through the threads. */
function awaitMessage(): ToThread {
  for (;;) {
    const told = Atomics.load(signal, 1);
    const message = receive();
    if (message !== undefined) return message;
    if (!isToldSoon(told)) Atomics.wait(signal, 1, told);
  }
}

/** Waits without sleeping for as long as a short call takes. */
function isToldSoon(told: number): boolean {
  const until = performance.now() + settings.wakefulMs;
  while (performance.now() < until) if (Atomics.load(signal, 1) !== told) return true;
  return false;
}

const isStopped = (): boolean => Atomics.load(signal, 0) !== 0;
const options: BlockRunOptions = { settings, isStopped, tell, receive, await: awaitMessage };
let run = new BlockRun(options);
const machine = await Machine.start({
  memoryBytes: settings.memoryBytes,
  print: (text) => run.print(text),
  ask: (call, args) => run.ask(call, args),
  isStopped,
});

port.on('message', (message: ToThread) => {
  if (message.type === 'answer') run.answer(machine, message);
  if (message.type !== 'run') return;
  run = new BlockRun(options);
  run.execute(machine, message);
});

// What is needed first is slow the first time only.
prepareCode('const warm: string = await 1');
tell({ type: 'ready' });
