import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import type { HostMessage, ThreadMessage, ThreadSettings } from '../messages.ts';
import { Engine } from '../thread/engine.ts';
import { isPlainCode, loadTypeRemover, prepareCode } from '../thread/prepare-code.ts';
import { BlockRun, type BlockHost } from '../thread/run-block.ts';

const port = parentPort as MessagePort;
const settings = workerData as ThreadSettings;
const signal = new Int32Array(settings.signal);

function send(message: ThreadMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  port.postMessage(message);
}

function poll(): HostMessage | undefined {
  return receiveMessageOnPort(port)?.message as HostMessage | undefined;
}

/** Waits without the event loop, which would take twice as long. */
function wait(): HostMessage {
  for (;;) {
    const sent = Atomics.load(signal, 1);
    const message = poll();
    if (message !== undefined) return message;
    Atomics.wait(signal, 1, sent);
  }
}

const isStopped = (): boolean => Atomics.load(signal, 0) !== 0;
const host: BlockHost = { settings, isStopped, send, poll, wait };
let run = new BlockRun(host);
const engine = await Engine.start({
  module: settings.engine,
  memoryBytes: settings.memoryBytes,
  print: (text) => run.print(text),
  requestCall: (callee, args) => run.requestCall(callee, args),
  isStopped,
});

port.on('message', (message: HostMessage) => {
  if (message.type === 'result') run.receive(engine, message);
  if (message.type === 'run') void runBlock(message);
});

async function runBlock(message: Extract<HostMessage, { type: 'run' }>): Promise<void> {
  if (!isPlainCode(message.code)) await loadTypeRemover();
  run = new BlockRun(host);
  run.run(engine, message);
}

// Parsing is slow only the first time.
prepareCode('const warm = await 1');
send({ type: 'ready' });
