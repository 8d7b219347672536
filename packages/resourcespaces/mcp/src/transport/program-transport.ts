import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { type OpenedProgram, openProgram, type Program } from '@bae/project';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Maximum length of a line, which is one message, in UTF-16 code units. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Time limit for a program to end after its input was closed, in milliseconds. */
const PATIENCE_MS = 2000;
/** Maximum wait for the remaining output of a program that has ended, in milliseconds. */
const LAST_WORDS_MS = 1000;
/** Maximum number of kept characters of the last output of a program. */
const LAST_WORDS = 600;

/**
 * Transports the protocol over the input and output of a program, one message per line. The program runs in its own
 * process group, which ends with the session, and with this process even after a crash.
 */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: Program;
  readonly #decoder = new StringDecoder('utf8');
  #opened: OpenedProgram | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  /** Pieces of an incomplete line. */
  #line: string[] = [];
  #length = 0;
  readonly #arrived: JSONRPCMessage[] = [];
  #isDelivering = false;
  #lastWords = '';
  #failure: string | undefined;
  #drained: Promise<void> | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The last output of the program besides messages. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  /** The reason why the program was ended, as a clause about it; undefined if it was not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async start(): Promise<void> {
    this.#opened = await openProgram(this.#program);
    const child = this.#opened.process;
    this.#exited = once(child, 'exit');
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream?.on('error', (error: Error) => this.onerror?.(error));
    child.stdout!.on('data', (bytes: Buffer) => this.#read(this.#decoder.write(bytes)));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#keepWords(text));
    child.once('exit', () => void this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#opened?.process.stdin;
    if (!input?.writable) throw new Error('the program has ended');
    if (input.write(`${JSON.stringify(message)}\n`)) return;
    // All waiting messages share one promise.
    await (this.#drained ??= drain(input).finally(() => (this.#drained = undefined)));
  }

  /** Closes the input of the program, and ends it if it does not exit. May be called more than once. */
  async close(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    this.#opened = undefined;
    opened.process.stdin?.end();
    const timer = setTimeout(() => opened.end(), PATIENCE_MS);
    await this.#exited;
    clearTimeout(timer);
    this.onclose?.();
  }

  /** Ends the remaining processes of a program that ended by itself. */
  async #end(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    this.#opened = undefined;
    // Its last output may not have arrived yet.
    await Promise.race([
      once(opened.process, 'close'),
      new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref()),
    ]);
    this.onclose?.();
  }

  #read(text: string): void {
    if (this.#failure !== undefined) return;
    const lines = text.split('\n');
    const rest = lines.pop()!;
    for (const line of lines) {
      this.#readLine([...this.#line.splice(0), line].join(''));
      this.#length = 0;
    }
    void this.#deliver();
    this.#line.push(rest);
    this.#length += rest.length;
    if (this.#length > LONGEST_LINE) this.#fail(`it sent a message of more than ${LONGEST_LINE / 1024 / 1024} MB`);
  }

  /** Ends the program, and with it all that waits for an answer, at once. */
  #fail(reason: string): void {
    this.#failure = reason;
    this.#line = [];
    this.#opened?.end();
    this.#opened = undefined;
    this.onclose?.();
  }

  /** Passes messages on in order, and each notification before the following answer is processed. */
  async #deliver(): Promise<void> {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    this.#opened?.process.stdout?.pause();
    for (let message = this.#arrived.shift(); message !== undefined; message = this.#arrived.shift()) {
      this.onmessage?.(message);
      // The SDK handles a notification asynchronously, but discards a finished request at once.
      if (!('id' in message)) await setImmediate();
    }
    this.#isDelivering = false;
    this.#opened?.process.stdout?.resume();
  }

  #readLine(line: string): void {
    try {
      const message: unknown = JSON.parse(line);
      const isMessage = typeof message === 'object' && message !== null && 'jsonrpc' in message;
      if (isMessage) this.#arrived.push(message as JSONRPCMessage);
    } catch {
      // Programs also print banners and warnings.
      this.#keepWords(`${line}\n`);
    }
  }

  #keepWords(text: string): void {
    this.#lastWords = `${this.#lastWords}${text}`.slice(-LAST_WORDS);
  }
}

async function drain(input: Writable): Promise<void> {
  await Promise.race([once(input, 'drain'), once(input, 'close')]);
}
