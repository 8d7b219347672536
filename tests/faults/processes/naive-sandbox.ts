// Runs code as many people would first think of it: `node:vm`, with functions and values of the host passed in. What
// the code does to its host, it does to this process.
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';

const printed: string[] = [];

async function answerTo(arg: unknown): Promise<unknown> {
  JSON.stringify(arg);
  if (arg === 'data') return { rows: [1, 2], name: 'data' };
  if (arg === 'missing') throw new Error('FileNotFoundError: missing');
  return `text of ${String(arg)}`;
}

const tool = () => (arg: unknown) => answerTo(arg);
const tests = Object.assign(tool(), { run: tool() });
const scope = {
  read: tool(),
  waits: () => new Promise(() => undefined),
  nav: tool(),
  source: Object.assign(tool(), { read: tool(), tests }),
  console: { log: (...values: unknown[]) => printed.push(values.map((value) => inspect(value)).join(' ')) },
};

async function outputOf(code: string): Promise<string> {
  try {
    return String(await (runInNewContext(`(async () => ${code})()`, scope) as Promise<unknown>));
  } catch (error) {
    return String(error);
  }
}

// Code that waits for ever shall be seen to wait.
const waiting = setInterval(() => undefined, 1000);
const output = await outputOf(process.argv[2] ?? '');
clearInterval(waiting);
process.stdout.write(output);
