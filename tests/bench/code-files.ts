import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { MeasuredCode } from './measured-code.ts';

const FILES = 2000;
/** Functions of a module. */
const FUNCTIONS = 12;
/** Modules of a folder. */
const IN_A_FOLDER = 40;

/** A project of 2,000 modules with classes, functions and types, about 3 kB each. */
export function codeFiles(): MeasuredCode {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-code-'));
  const paths = Array.from({ length: FILES }, (_, number) =>
    number === 0 ? 'm0.ts' : `part-${Math.floor(number / IN_A_FOLDER)}/m${number}.ts`,
  );
  for (const [number, path] of paths.entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), moduleText(number));
  }
  return { folder, paths, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function moduleText(number: number): string {
  const functions = Array.from(
    { length: FUNCTIONS },
    (_, index) => `/** Does number ${index}. And says so. */
export function f${index}(input: Input${number}, options: { readonly limit?: number } = {}): readonly string[] {
  const { limit = ${index} } = options;
  return input.names.filter((name) => name.length > limit).map((name) => \`\${name}-${number}\`);
}
`,
  );
  return `import { readFileSync } from 'node:fs';

/** What module ${number} works on. */
export interface Input${number} {
  readonly names: readonly string[];
}

/** Keeps what was read. */
export class Store${number} {
  readonly #texts = new Map<string, string>();

  /** The text of a file. */
  read(path: string): string {
    const known = this.#texts.get(path) ?? readFileSync(path, 'utf8');
    this.#texts.set(path, known);
    return known;
  }
}

${functions.join('\n')}`;
}
