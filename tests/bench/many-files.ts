import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = 40;
const FOLDERS = 10;
const FILES = 30;
const WORDS = 'alpha beta gamma export function return const value index result TODO error handle stream buffer'.split(
  ' ',
);

/** A folder of 12,000 text files, always the same, as a repository of many packages would have them. */
export interface ManyFiles extends Disposable {
  readonly folder: string;
  /** What its `.gitignore` files exclude, as file patterns. */
  readonly ignored: readonly string[];
}

export function manyFiles(): ManyFiles {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-'));
  const random = randomNumbers();
  for (let index = 0; index < PACKAGES * FOLDERS; index++) {
    const path = join(folder, `package-${index % PACKAGES}/src/module-${Math.floor(index / PACKAGES)}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES; file++) {
      writeFileSync(join(path, `file-${file}.${['ts', 'js', 'md'][file % 3]}`), textOf(random));
    }
  }
  writeFileSync(join(folder, '.gitignore'), '*.log\n/out/\ncoverage\n');
  for (let index = 0; index < PACKAGES; index += 4)
    writeFileSync(join(folder, `package-${index}/.gitignore`), '*.tmp\n');
  return {
    folder,
    ignored: ['**/*.log', 'out/**', '**/coverage/**', '**/*.tmp'],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Ten to ninety lines of eight words. */
function textOf(random: () => number): string {
  const lines = 10 + Math.floor(random() * 80);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  return Array.from({ length: lines }, () => `${Array.from({ length: 8 }, word).join(' ')}\n`).join('');
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
