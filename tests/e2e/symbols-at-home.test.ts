import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "sample", "type": "module" }\n',
  'src/queue.js': `export class Queue {
  constructor() {
    this.items = [];
  }
  add(item) {
    this.items.push(item);
  }
  close() {}
  json() {}
}
export function open() {
  function log() {
    return 1;
  }
  return log;
}
`,
  'lib/deep/Notes.txt': 'a note\n',
};

/** What is sent at home, by the name of its result. */
const CALLS = {
  file: '<R:Notes.txt>',
  field: '<R:Queue#items>',
  whole: '<E:Queue.add>\nadd(item) {\n  this.items.unshift(item);\n}\n</E>',
  read: '<R:Queue.close>',
  endsLikeFile: '<R:Queue.json>',
  lines: '<E:Queue.close:8>\n  close() { this.items = []; }\n</E>',
  text: '<E:open.log old="return 1" new="return 2">',
  member: '<W:Queue.size>\nsize() {\n  return this.items.length;\n}\n</W>',
  known: '<W:Queue>\nexport class Queue {}\n</W>',
  nothing: '<E:Nothing.at>\nall\n</E>',
  newFile: '<W:LICENSE>\nfree\n</W>',
  data: '<W:Queue.json>\n{}\n</W>',
  dotted: '<W:notes.draft>\nfree\n</W>',
} as const;

describe('the name of a symbol at home', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bae-home-'));
  const results = new Map<string, string>();
  const content = (path: string) => readFileSync(join(folder, path), 'utf8');

  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const input = `${Object.values(CALLS).join('\n')}\n`;
    const { stdout, stderr } = await runBae(['do', '--yes', '--cap', '8000', '--cwd', folder], { input });
    const parts = stdout.split(/^#\d+ \w+ .*$/m).slice(1);
    for (const [index, name] of Object.keys(CALLS).entries()) results.set(name, (parts[index] ?? '').trim());
    expect(parts, stderr).toHaveLength(Object.keys(CALLS).length);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read, and so is the only file with a name', () => {
    expect(results.get('file')).toMatch(/^Notes\.txt does not exist; this is lib\/deep\/Notes\.txt:\na note/);
    expect(results.get('endsLikeFile')).toMatch(/^json\(\) \{\}/);
    expect(results.get('field')).toMatch(/^this\.items = \[\];/);
  });

  it('is edited as a whole, by lines, and by text', () => {
    expect(results.get('whole')).toContain('Edited Queue.add in queue');
    expect(results.get('lines')).toContain('+  close() { this.items = []; }');
    expect(results.get('text')).toContain('+    return 2;');
    expect(content('src/queue.js')).toContain(
      '  add(item) {\n    this.items.unshift(item);\n  }\n  close() { this.items = []; }\n',
    );
  });

  it('is written as a new member of its class, and makes no file', () => {
    expect(results.get('member')).toContain('Added size to queue.Queue');
    expect(results.get('known')).toContain('overwrite=true');
    for (const name of ['Queue', 'Queue.size', 'Queue.add']) expect(existsSync(join(folder, name))).toBe(false);
  });

  it('is the name of a file where nothing else has it', () => {
    expect(results.get('nothing')).toMatch(/^FileNotFoundError: Nothing\.at/);
    expect(content('LICENSE')).toBe('free\n');
    expect(content('notes.draft')).toBe('free\n');
    expect(content('Queue.json')).toBe('{}\n');
  });
});
