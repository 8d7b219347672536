import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = readdirSync(new URL('.', import.meta.url)).filter((name) => /^\d\d-.*\.ts$/.test(name));

const output = (program: string) =>
  execFileSync(process.execPath, [`dist/${program.replace('.ts', '.js')}`], { cwd: root, encoding: 'utf8' });

describe('the examples', () => {
  it.each(programs)('%s prints what it says', (program) => {
    expect(output(program).replaceAll(/\b[0-9a-f]{6}\b/g, 'NONCE')).toMatchSnapshot();
  });
});
