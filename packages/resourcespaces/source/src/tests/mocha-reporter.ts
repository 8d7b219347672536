// Watches mocha, whose report in JSON is only written at the end: it writes which files and tests have begun and ended.
// Mocha loads all files into one program before it runs the first test. This runs there, loaded by `--require` since a
// reporter of mocha's is told nothing of that, and imports no other file of this package.
import { EventEmitter } from 'node:events';
import { appendFileSync } from 'node:fs';
import type { JsonOutcome, ProgressLine } from './test-report.ts';

/** A test, group or hook. */
interface MochaPart {
  readonly title: string;
  readonly root?: boolean;
  readonly file?: string;
  readonly parent?: MochaPart;
}

class Progress {
  readonly #path = `${/--reporter-option=output=(\S+)/.exec(process.argv.join(' '))?.[1] ?? ''}.progress`;
  #file = '';
  #outcomes: JsonOutcome[] = [];

  /** Notes that a file is being loaded: the tests of the one before it wait until all files are. */
  load(file: string): void {
    this.wait();
    this.#file = file;
    this.#write({ file, begun: true });
  }

  wait(): void {
    if (this.#file !== '') this.#write({ file: this.#file, waits: true });
    this.#file = '';
  }

  begin(part: MochaPart): void {
    const file = findFileOf(part);
    if (file === undefined) return;
    if (file !== this.#file) this.end();
    this.#file = file;
    this.#write({ file, begun: true, title: part.title });
  }

  note(part: MochaPart, status: string, error?: { readonly stack?: string; readonly message?: string }): void {
    const ancestorTitles: string[] = [];
    for (let at = part.parent; at !== undefined && at.root !== true; at = at.parent) ancestorTitles.unshift(at.title);
    const failureMessages = error === undefined ? [] : [error.stack ?? error.message ?? ''];
    this.#outcomes.push({ ancestorTitles, title: part.title, status, failureMessages });
  }

  end(): void {
    const [name, assertionResults] = [this.#file, this.#outcomes];
    if (name !== '') this.#write({ file: name, ended: { name, assertionResults } });
    this.#file = '';
    this.#outcomes = [];
  }

  #write(line: ProgressLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

function findFileOf({ file, parent }: MochaPart): string | undefined {
  return file ?? (parent === undefined ? undefined : findFileOf(parent));
}

const progress = new Progress();
let hasLoaded = false;

function watchRunner(runner: EventEmitter): void {
  progress.wait();
  runner.on('test', (test: MochaPart) => progress.begin(test));
  runner.on('hook', (hook: MochaPart) => progress.begin(hook));
  runner.on('pass', (test: MochaPart) => progress.note(test, 'passed'));
  runner.on('pending', (test: MochaPart) => progress.note(test, 'pending'));
  runner.on('fail', (test: MochaPart, error: Error) => progress.note(test, 'failed', error));
  runner.on('end', () => progress.end());
}

// What mocha runs is created by mocha alone: it is seen here when it first says something.
// oxlint-disable-next-line typescript/unbound-method -- it is called with its emitter
const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function watch(this: EventEmitter, event: string | symbol, ...values: unknown[]) {
  const [first, file] = values as readonly (MochaPart | string | undefined)[];
  if (event === 'pre-require' && typeof file === 'string') {
    hasLoaded = true;
    progress.load(file);
  } else if (event === 'suite' && hasLoaded && typeof first === 'object' && first.root === true) {
    EventEmitter.prototype.emit = emit;
    watchRunner(this);
  }
  return emit.call(this, event, ...values);
};
