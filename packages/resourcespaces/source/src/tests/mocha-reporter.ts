// Watches mocha, whose report in JSON is only written at the end: it writes which files and tests have begun and ended.
// Mocha loads all files into one program before it runs the first test. This runs there, loaded by `--require`, because
// a reporter is not told which file is being loaded, and imports no other file of this package.
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
  readonly #path: string;
  #file = '';
  #outcomes: JsonOutcome[] = [];

  constructor(report: string) {
    this.#path = `${report}.progress`;
  }

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

function watchRunner(runner: EventEmitter, progress: Progress): void {
  progress.wait();
  runner.on('test', (test: MochaPart) => progress.begin(test));
  runner.on('hook', (hook: MochaPart) => progress.begin(hook));
  runner.on('pass', (test: MochaPart) => progress.note(test, 'passed'));
  runner.on('pending', (test: MochaPart) => progress.note(test, 'pending'));
  runner.on('fail', (test: MochaPart, error: Error) => progress.note(test, 'failed', error));
  runner.on('end', () => progress.end());
}

/** Mocha creates its runner itself; it is caught here when it emits its first event. */
function watchMocha(progress: Progress): void {
  let hasLoaded = false;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its emitter
  const { emit } = EventEmitter.prototype;
  EventEmitter.prototype.emit = function watch(this: EventEmitter, event: string | symbol, ...values: unknown[]) {
    const [first, file] = values as readonly (MochaPart | string | undefined)[];
    if (event === 'pre-require' && typeof file === 'string') {
      hasLoaded = true;
      progress.load(file);
    } else if (event === 'suite' && hasLoaded && typeof first === 'object' && first.root === true) {
      EventEmitter.prototype.emit = emit;
      watchRunner(this, progress);
    }
    return emit.call(this, event, ...values);
  };
}

// A mocha that starts another one for options of node writes the option and its value as two words. The workers of
// `parallel: true` load this too, but have no report.
const report = process.argv.flatMap((word) => /^(?:--reporter-option=)?output=(.+)$/s.exec(word)?.[1] ?? [])[0];
if (report !== undefined) watchMocha(new Progress(report));
