// Checks the description of the HTTP interface with a client that is generated from it: openapi-typescript makes its
// types, the compiler checks a program that uses every operation, and the program runs against a server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { serveAgents } from '../../tests/served/serve-agents.ts';

const folder = join(import.meta.dirname, '.generated');
const served = await serveAgents({
  script: (messages) => (messages.at(-1).text.includes('[Tool output') ? 'Added it.' : '<add:one>'),
});
try {
  const document = await (await fetch(`${served.server.url}/openapi.json`)).json();
  const types = astToString(await openapiTS(document));
  // A description that says less is noticed.
  check(types.replace('/v1/sessions/{id}/cancel', '/v1/other'), [/sessions\/\{id\}\/cancel/]);
  check(types, []);
  const { text } = await served.addToken('generated');
  const { useEveryOperation } = await import(join(folder, 'use-client.ts'));
  const used = await useEveryOperation(served.server.url, text);
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  assert.deepEqual(new Set(used), new Set(all), 'the program uses every operation');
  assert.deepEqual(served.unexpected, []);
} finally {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Compiles the program with these types; each of the expected errors has to be among those of the compiler. */
function check(types, expected) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'api.ts'), types);
  copyFileSync(join(import.meta.dirname, 'use-client.ts'), join(folder, 'use-client.ts'));
  const settings = {
    extends: join(import.meta.dirname, '../../tsconfig.base.json'),
    compilerOptions: { noEmit: true, incremental: false, composite: false, allowImportingTsExtensions: true },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  if (expected.length === 0) assert.equal(stdout, '');
  else assert.notEqual(status, 0);
  for (const error of expected) assert.match(stdout, error);
}
