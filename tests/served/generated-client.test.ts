import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serveAgents } from './serve-agents.ts';

/** Here the program finds the packages that it imports. */
const FOLDER = join(import.meta.dirname, '../.generated/client');
const TYPES = join(import.meta.dirname, '../../docs/client-types.mjs');
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Runs a program with Node, and returns what it writes. */
function run(args: readonly string[], input = ''): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  return stdout + stderr;
}

/** The errors of a program that uses every operation, with these types. */
function compile(types: string): string {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'api.ts'), types);
  copyFileSync(join(import.meta.dirname, 'use-client.ts'), join(FOLDER, 'use-client.ts'));
  const settings = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(settings));
  return run([COMPILER, '-p', FOLDER, '--pretty', 'false']);
}

it(
  'describes its interface so that a client can be generated, which uses every operation',
  { tags: ['long'] },
  async () => {
    const served = await serveAgents({
      script: (messages) => (messages.at(-1)!.text.includes('[Tool output') ? 'Added it.' : '<add:one>'),
    });
    onTestFinished(() => served.close());
    const document = (await (await fetch(`${served.server.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
    };
    const types = run([TYPES], JSON.stringify(document));
    // A description that says less is noticed.
    expect(compile(types.replace('/v1/sessions/{id}/cancel', '/v1/other'))).toContain('/v1/sessions/{id}/cancel');
    expect(compile(types)).toBe('');
    const { text } = await served.addToken('generated');
    const { useEveryOperation } = (await import(join(FOLDER, 'use-client.ts'))) as {
      readonly useEveryOperation: (url: string, token: string) => Promise<readonly string[]>;
    };
    const used = await useEveryOperation(served.server.url, text);
    const all = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(new Set(used)).toEqual(new Set(all));
    expect(served.unexpected).toEqual([]);
  },
);
