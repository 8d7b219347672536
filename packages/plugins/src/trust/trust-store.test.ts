import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratchFolder } from '../../test/scratch.ts';
import { TrustStore } from './trust-store.ts';
import type { TrustSubject } from './trust-subject.ts';

const subject = (path: string, digest = 'one'): TrustSubject => ({
  kind: 'plugin',
  name: 'a',
  path,
  digest,
  about: [],
});

describe('TrustStore', () => {
  it('remembers by path and content', () => {
    const trust = new TrustStore(join(scratchFolder(), 'deep/trust.json'));
    expect(trust.stateOf(subject('/a'))).toBe('unknown');
    trust.remember([subject('/a'), subject('/b')], 'trusted');
    trust.remember([subject('/c')], 'refused');
    const again = new TrustStore(trust.file);
    expect(['/a', '/b', '/c', '/d'].map((path) => again.stateOf(subject(path)))).toEqual([
      'trusted',
      'trusted',
      'refused',
      'unknown',
    ]);
    expect(again.stateOf(subject('/a', 'two'))).toBe('changed');
    expect(again.stateOf(subject('/c', 'two'))).toBe('changed');
  });

  it('replaces what was decided before, and forgets it', () => {
    const trust = new TrustStore(join(scratchFolder(), 'trust.json'));
    trust.remember([subject('/b'), subject('/a')], 'refused');
    trust.remember([subject('/a', 'two')], 'trusted');
    expect(trust.entries().map(({ path, digest, decision }) => [path, digest, decision])).toEqual([
      ['/a', 'two', 'trusted'],
      ['/b', 'one', 'refused'],
    ]);
    expect(trust.forget(({ path }) => path === '/a').map(({ path }) => path)).toEqual(['/a']);
    expect(trust.forget(({ path }) => path === '/a')).toEqual([]);
    expect(trust.stateOf(subject('/a', 'two'))).toBe('unknown');
  });

  it('keeps what another bae decided in the meantime', () => {
    const trust = new TrustStore(join(scratchFolder(), 'trust.json'));
    expect(trust.entries()).toEqual([]);
    new TrustStore(trust.file).remember([subject('/a')], 'trusted');
    trust.remember([subject('/b')], 'trusted');
    expect(trust.entries().map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('keeps the file for the user alone, whole at every moment', () => {
    const folder = scratchFolder();
    const trust = new TrustStore(join(folder, 'bae/trust.json'));
    trust.remember([subject('/a')], 'trusted');
    expect(statSync(trust.file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'bae')).mode & 0o777).toBe(0o700);
    put(folder, { [`bae/trust.json.${process.pid}.tmp`]: 'left by a crash' });
    trust.remember([subject('/b')], 'trusted');
    expect(readdirSync(join(folder, 'bae'))).toEqual(['trust.json']);
    expect(statSync(trust.file).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{', '[]', '{"version":2,"entries":[]}', '{"version":1,"entries":[{"path":"/a"}]}'])(
    'trusts nothing when the file holds %j, and leaves it alone',
    (text) => {
      const folder = scratchFolder();
      put(folder, { 'trust.json': text });
      const trust = new TrustStore(join(folder, 'trust.json'));
      expect(() => trust.stateOf(subject('/a'))).toThrow('does not hold what bae wrote there: nothing is trusted.');
      expect(() => trust.remember([subject('/a')], 'trusted')).toThrow('Fix it or move it away.');
      expect(readFileSync(trust.file, 'utf8')).toBe(text);
    },
  );

  it('reports when the file cannot be written', () => {
    const folder = scratchFolder();
    put(folder, { file: '' });
    expect(() => new TrustStore(join(folder, 'file/trust.json')).remember([subject('/a')], 'trusted')).toThrow(
      /trust\.json cannot be written: .+ Make its folder writable, or set BAE_HOME\.$/,
    );
  });

  it('is in a folder of the user', () => {
    const fileFor = (env: Readonly<Record<string, string>>) => TrustStore.ofUser(env).file;
    expect(fileFor({ BAE_HOME: '/b', XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe('/b/trust.json');
    expect(fileFor({ BAE_HOME: '', XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe('/x/bae/trust.json');
    expect(fileFor({ HOME: '/h' })).toBe('/h/.config/bae/trust.json');
  });
});
