import { describe, expect, it } from 'vitest';
import { OpenSubspace } from '../../test/open-subspace.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { ConfigSpace } from './config-space.ts';

const TSCONFIG = '{\n  // Strict, please.\n  "compilerOptions": {\n    "strict": true, // always\n  },\n}\n';
const FILES = {
  'package.json':
    '{\n  "name": "my-app",\n  "scripts": { "test": "vitest run" },\n  "exports": { "./a": "./a.js" }\n}\n',
  'tsconfig.json': TSCONFIG,
  'tsconfig.build.json': '{ "extends": "./tsconfig.json" }\n',
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  zod: ^4.6.7 # cheap\n',
  'vitest.config.ts': 'export default {};\n',
  'secrets.json': '{}',
  'packages/core/package.json': '{ "name": "@all/core" }\n',
};

describe('source.config', () => {
  it('lists the settings files and their keys', async () => {
    const { space } = open();
    expect(await space.enter()).toBe('package, pnpm-workspace, tsconfig.build, tsconfig, vitest.config');
    expect(await space.call('read', { key: '', package: '' })).toBe(`package: name, scripts, exports
pnpm-workspace: packages, catalog
tsconfig.build: extends
tsconfig: compilerOptions
vitest.config (code, read only)`);
  });

  it('reads a file, a section and a single value', async () => {
    const { space } = open();
    expect(await space.call('read', { key: 'tsconfig', package: '' })).toBe(TSCONFIG);
    expect(await space.call('read', { key: 'tsconfig.build', package: '' })).toBe('{ "extends": "./tsconfig.json" }\n');
    expect(await space.call('read', { key: 'tsconfig.compilerOptions', package: '' })).toBe('{\n  "strict": true\n}');
    expect(await space.call('read', { key: 'package.exports."./a"', package: '' })).toBe('"./a.js"');
    expect(await space.call('read', { key: 'pnpm-workspace.catalog', package: '' })).toBe('zod: ^4.6.7');
    expect(await space.call('read', { key: 'vitest.config', package: '' })).toBe('export default {};\n');
    expect(await space.call('read', { key: 'package.name', package: 'core' })).toBe('"@all/core"');
  });

  it('names what there is when something is not', async () => {
    const { space } = open();
    expect(await space.call('read', { key: 'tsconf.strict', package: '' })).toBe(
      "ResourceError: no settings file 'tsconf'. There is: package, pnpm-workspace, tsconfig.build, tsconfig, vitest.config.\n" +
        'Try: <R:tsconfig>',
    );
    expect(await space.call('read', { key: 'package.scripts.lint', package: '' })).toBe(
      "ResourceError: no key 'lint' in package.scripts. It has: test.\nTry: <R:package.scripts>",
    );
    expect(await space.call('edit', { key: 'vitest.config.test', value: '1', package: '' })).toBe(
      'ResourceError: vitest.config is code, not data: it has no keys and is changed by hand.\nTry: <R:vitest.config>',
    );
  });

  it('replaces a value and keeps comments and layout', async () => {
    const { project, space } = open();
    expect(await space.call('edit', { key: 'tsconfig.compilerOptions.strict', value: 'false', package: '' })).toBe(
      'Set tsconfig.compilerOptions.strict: true -> false',
    );
    expect(project.read('tsconfig.json')).toBe(TSCONFIG.replace('true', 'false'));
    expect(await space.call('edit', { key: 'pnpm-workspace.catalog.zod', value: '^5.0.0', package: '' })).toBe(
      'Set pnpm-workspace.catalog.zod: "^4.6.7" -> "^5.0.0"',
    );
    expect(project.read('pnpm-workspace.yaml')).toBe(FILES['pnpm-workspace.yaml'].replace('^4.6.7', '^5.0.0'));
  });

  it.each([
    ['package.scripts', 'package.json'],
    ['pnpm-workspace.catalog', 'pnpm-workspace.yaml'],
  ])('takes __proto__ in %s for a key like any other', async (section, file) => {
    const { project, space } = open();
    const before = project.read(file);
    const key = `${section}.__proto__`;
    expect(await space.call('read', { key, package: '' })).toMatch(/^ResourceError: no key '__proto__' in /);
    expect(await space.call('write', { key, value: 'one', package: '' })).toBe(`Set ${key}: "one"`);
    expect(await space.call('read', { key, package: '' })).toMatch(/^"?one"?$/);
    expect(await space.call('edit', { key, value: '{"a":{"__proto__":1}}', package: '' })).toBe(
      `Set ${key}: "one" -> {"a":{"__proto__":1}}`,
    );
    expect(await space.call('read', { key: `${key}.a.__proto__`, package: '' })).toBe('1');
    expect(await space.call('remove', { key, package: '' })).toBe(`Removed ${key} (was {"a":{"__proto__":1}})`);
    expect(project.read(file)).toBe(before);
  });

  it('adds and removes a key', async () => {
    const { project, space } = open();
    expect(await space.call('write', { key: 'package.scripts.lint', value: 'oxlint\n', package: '' })).toBe(
      'Set package.scripts.lint: "oxlint"',
    );
    expect(project.read('package.json')).toContain('{ "test": "vitest run", "lint": "oxlint" }');
    expect(await space.call('remove', { key: 'package.scripts.lint', package: '' })).toBe(
      'Removed package.scripts.lint (was "oxlint")',
    );
    expect(project.read('package.json')).toBe(FILES['package.json']);
  });

  it('replaces nothing by write, and adds nothing by edit', async () => {
    const { project, space } = open();
    expect(await space.call('write', { key: 'package.scripts.test', value: 'x', package: '' })).toBe(
      'ResourceError: package.scripts.test exists: "vitest run". Use edit to replace it.\nTry: <E:package.scripts.test>value</E>',
    );
    expect(await space.call('edit', { key: 'package.scripts.lint', value: 'x', package: '' })).toContain(
      "no key 'lint'",
    );
    expect(await space.call('write', { key: 'package.name.first', value: 'x', package: '' })).toBe(
      'ResourceError: package.name is a single value; nothing can be put into it.\nTry: <R:package.name>',
    );
    expect(await space.call('write', { key: 'pnpm-workspace.packages.7', value: 'x', package: '' })).toBe(
      'ResourceError: pnpm-workspace.packages is a list of 1; the next place is pnpm-workspace.packages.1.\n' +
        'Try: <R:pnpm-workspace.packages>',
    );
    expect(await space.call('remove', { key: 'package', package: '' })).toBe(
      'ResourceError: package is a whole file; name a key in it.\nTry: <R:package>',
    );
    expect(project.read('package.json')).toBe(FILES['package.json']);
  });

  it('loses no change when others change the same file at the same time', { tags: ['long'] }, async () => {
    const { project, space } = open();
    const other = new OpenSubspace(project.folder, 'config', (root) => new ConfigSpace(root));
    const names = Array.from({ length: 20 }, (_, index) => `task${index}`);
    const results = await Promise.all(
      names.map((name, index) => {
        const one = index % 2 === 0 ? space : other;
        return one.call('write', { key: `package.scripts.${name}`, value: name, package: '' });
      }),
    );
    expect(results).toEqual(names.map((name) => `Set package.scripts.${name}: "${name}"`));
    const { scripts } = JSON.parse(project.read('package.json')) as { scripts: Readonly<Record<string, string>> };
    expect(Object.keys(scripts).toSorted()).toEqual(['test', ...names].toSorted());
  });

  it('changes nothing in a file that cannot be read', async () => {
    const { project, space } = open({ 'package.json': '{ "name": }' });
    expect(await space.call('edit', { key: 'package.name', value: 'x', package: '' })).toBe(
      'ResourceError: package cannot be read: line 1: ValueExpected. Fix it as a file first.\nTry: @home()',
    );
    expect(project.read('package.json')).toBe('{ "name": }');
    expect(await space.call('read', { key: '', package: '' })).toContain('package: package cannot be read');
  });
});

function open(files: Readonly<Record<string, string>> = FILES): { project: TemporaryProject; space: OpenSubspace } {
  const project = new TemporaryProject(files);
  return { project, space: new OpenSubspace(project.folder, 'config', (root) => new ConfigSpace(root)) };
}
