import { describe, expect, it } from 'vitest';
import { fillTemplates, linkPackages, renderPnpmSettings } from './new-package.ts';
import { deriveNames } from './scaffold.ts';

const MANIFEST = {
  name: 'bae-resourcespace-tea',
  devDependencies: { '@bae/core': '^0.1.0', vitest: '^5.1.0' },
  peerDependencies: { '@bae/core': '^0.1.0' },
};

describe('linkPackages', () => {
  it('takes from files what is there, and leaves versions to the rest and to peers', () => {
    expect(linkPackages(MANIFEST, new Map([['@bae/core', 'file:/bae/core']]))).toEqual({
      ...MANIFEST,
      devDependencies: { '@bae/core': 'file:/bae/core', vitest: '^5.1.0' },
    });
  });

  it('links indirect dependencies, and nothing twice', () => {
    const links = new Map([
      ['@bae/core', 'file:/t/core.tgz'],
      ['@bae/store', 'file:/t/store.tgz'],
    ] as const);
    expect(linkPackages({ name: 'tea', dependencies: { '@bae/core': '^0.1.0' } }, links)).toEqual({
      name: 'tea',
      dependencies: { '@bae/core': 'file:/t/core.tgz' },
      overrides: { '@bae/store': 'file:/t/store.tgz' },
    });
  });
});

describe('renderPnpmSettings', () => {
  it('links folders, and installs from files', () => {
    const links = new Map([
      ['@bae/core', 'file:/my bae/core'],
      ['@bae/store', 'file:/t/store.tgz'],
    ] as const);
    expect(renderPnpmSettings(links)).toBe(`\
# For pnpm; npm reads package.json alone.
overrides:
  '@bae/core': "link:/my bae/core"
  '@bae/store': "file:/t/store.tgz"
`);
  });
});

const renamed = (path: string, text: string) =>
  [...fillTemplates(new Map([[path, text]]), deriveNames('snow-report'))][0];

describe('fillTemplates', () => {
  it.each([
    ['class TemplateSpace', 'class SnowReportSpace'],
    ['templateAgent()', 'snowReportAgent()'],
    ["from './template-space.ts'", "from './snow-report-space.ts'"],
    ['"bae-resourcespace-template"', '"bae-resourcespace-snow-report"'],
    ["name: 'template'", "name: 'snow_report'"],
    ['`@template()`', '`@snow_report()`'],
    ['contract as template', 'contract as snow_report'],
    ['templates of others', 'templates of others'],
  ])('turns %j into %j', (text, expected) => {
    expect(renamed('a.ts', text)).toEqual(['a.ts', expected]);
  });

  it('names files, too, and gives back those that npm leaves out their own name', () => {
    expect(renamed('src/template-space.ts', '')).toEqual(['src/snow-report-space.ts', '']);
    expect(renamed('gitignore', 'dist/')).toEqual(['.gitignore', 'dist/']);
  });
});
