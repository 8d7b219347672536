import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A registry of packages on this machine that has one package, `tiny`, in one version. Returns its address. */
export async function tinyRegistry(version = '1.2.0'): Promise<string> {
  const tarball = packTiny(version);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer(({ url, headers }, response) => {
    const base = `http://${headers.host}`;
    if (url === '/tiny.tgz') return response.end(tarball);
    if (url !== '/tiny') return response.writeHead(404).end('{"error":"not found"}');
    const dist = { tarball: `${base}/tiny.tgz`, integrity };
    const manifest = { name: 'tiny', version, dist };
    return response.end(
      JSON.stringify({ name: 'tiny', 'dist-tags': { latest: version }, versions: { [version]: manifest } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A package whose installation would leave a trace: a file `ran` in it. */
function packTiny(version: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'bae-tiny-'));
  const source = join(folder, 'package');
  mkdirSync(source);
  const scripts = { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" };
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version, scripts }));
  writeFileSync(join(source, 'index.js'), 'module.exports = 1;\n');
  execFileSync('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: folder });
  const bytes = readFileSync(join(folder, 'tiny.tgz'));
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}
