import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { scaffoldNewSpace, type Surroundings } from './new-space.ts';

function make(name: string, more: Partial<Surroundings> = {}) {
  const { path: root, put } = scratchFolder();
  const surroundings = { root, folders: [], taken: new Set(['source', 'tasks', 'snow_report']), ...more };
  return { root, put, made: () => scaffoldNewSpace({ name, language: 'javascript' }, surroundings) };
}

describe('a new space of a project', () => {
  it('has a view, a service, what registers them, and what is left to the user', () => {
    const made = make('my-tea').made();
    if (made.type === 'refused') throw new Error(made.reason);
    expect(made.folder).toBe('spaces/my-tea');
    const about = [...made.files]
      .filter(([, file]) => file.about !== '')
      .map(([path, file]) => `${path}: ${file.about}`);
    expect(about).toEqual([
      'src/my-tea-space.js: the view: the tools, as a model sees them',
      'src/note-store.js: the service: the work that the tools call',
      'src/index.js: registers the space: exports it',
      'package.json: registers the package: "bae" names its modules',
      'bae.manifest.json: describes the tools; bae manifest rewrites it when they change',
      'src/samples.js: what the tests try it with',
    ]);
    expect(made.steps).toEqual([
      'cd spaces/my-tea && npm install',
      'in bae.config.json: { "spaces": ["./spaces/my-tea"] }, or "./spaces/my-tea" as one more of the spaces there',
      'bae trust   (shows what it is, asks, and lets it run)',
      'restart bae; @my_tea() enters it',
    ]);
  });

  it('needs no install where the project has what it needs', () => {
    const { made, put } = make('tea');
    for (const name of ['@bae/core', '@bae/workspace']) put(`node_modules/${name}/package.json`, {});
    const first = () => {
      const space = made();
      return space.type === 'files' ? space.steps[0] : space.reason;
    };
    expect(first()).toBe('cd spaces/tea && npm install');
    put('node_modules/zod/package.json', {});
    expect(first()).toMatch(/^in bae\.config\.json/);
  });

  it('is made beside those that are there', () => {
    expect(make('tea', { folders: ['parts/rooms of mine/shop', 'x/y'] }).made()).toMatchObject({
      folder: 'parts/rooms of mine/tea',
      steps: [
        "cd 'parts/rooms of mine/tea' && npm install",
        expect.stringContaining('"./parts/rooms of mine/tea"'),
        expect.anything(),
        expect.anything(),
      ],
    });
    expect(make('tea', { folders: ['shop'] }).made()).toMatchObject({ folder: 'tea' });
  });

  it.each([
    ['tasks', 'a space tasks is here already', 'my-tasks'],
    ['snow-report', 'a space snow_report is here already', 'my-snow-report'],
    ['Weather!', 'it consists of lowercase letters, digits and single -, and begins with a letter', 'weather'],
    ['constructor', 'it is a reserved word in JavaScript', 'my-constructor'],
    ['a'.repeat(300), 'it has at most 50 characters', 'a'.repeat(50)],
  ])('is refused as %s', (name, reason, nearest) => {
    expect(make(name).made()).toEqual({ type: 'refused', reason, nearest });
  });

  it('is offered a name of bearable length', () => {
    const name = 'a'.repeat(50);
    expect(make(name, { taken: new Set([name]) }).made()).toMatchObject({ nearest: `my-${'a'.repeat(47)}` });
  });
});
