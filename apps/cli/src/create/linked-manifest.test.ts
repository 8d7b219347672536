import { describe, expect, it } from 'vitest';
import { pnpmSettings, withLinks } from './linked-manifest.ts';

const MANIFEST = {
  name: 'bae-resourcespace-tea',
  devDependencies: { '@bae/core': '^0.1.0', vitest: '^5.1.0' },
  peerDependencies: { '@bae/core': '^0.1.0' },
};

describe('withLinks', () => {
  it('takes from files what is there, and leaves versions to the rest and to peers', () => {
    expect(withLinks(MANIFEST, new Map([['@bae/core', 'file:/bae/core']]))).toEqual({
      ...MANIFEST,
      devDependencies: { '@bae/core': 'file:/bae/core', vitest: '^5.1.0' },
    });
  });

  it('says where to find what only others ask for, and nothing twice', () => {
    const links = new Map([
      ['@bae/core', 'file:/t/core.tgz'],
      ['@bae/store', 'file:/t/store.tgz'],
    ] as const);
    expect(withLinks({ name: 'tea', dependencies: { '@bae/core': '^0.1.0' } }, links)).toEqual({
      name: 'tea',
      dependencies: { '@bae/core': 'file:/t/core.tgz' },
      overrides: { '@bae/store': 'file:/t/store.tgz' },
    });
  });
});

describe('pnpmSettings', () => {
  it('links folders, and installs from files', () => {
    const links = new Map([
      ['@bae/core', 'file:/my bae/core'],
      ['@bae/store', 'file:/t/store.tgz'],
    ] as const);
    expect(pnpmSettings(links)).toBe(`\
# For pnpm; npm reads package.json alone.
overrides:
  '@bae/core': "link:/my bae/core"
  '@bae/store': "file:/t/store.tgz"
`);
  });
});
