import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillPrompt, findPromptFiles } from './prompts.ts';
import type { Settings } from './settings.ts';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'bae-prompts-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const find = (packages: NonNullable<Settings['packages']> = []) =>
  findPromptFiles({ root: join(root, 'project'), packages }, { HOME: root, BAE_HOME: join(root, 'own') });

describe('findPromptFiles', () => {
  it('takes those of the project before those of the user', () => {
    const [own, project] = [join(root, 'own/commands'), join(root, 'project/.agents/commands')];
    for (const folder of [own, project]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(own, 'fix.md'), '# Fix it\nNow.');
    writeFileSync(join(own, 'tidy.md'), `---\ndescription: "Tidy ${'up '.repeat(40)}"\n---\nTidy $ARGUMENTS.`);
    writeFileSync(join(project, 'fix.md'), 'Fix what fails.\n');
    writeFileSync(join(project, '-x.md'), 'no name');
    writeFileSync(join(root, 'secret.md'), 'elsewhere');
    symlinkSync(join(root, 'secret.md'), join(project, 'link.md'));
    const found = find();
    expect(found.map(({ name }) => name).toSorted()).toEqual(['fix', 'tidy']);
    expect(found.find(({ name }) => name === 'fix')).toMatchObject({ about: 'Fix what fails.' });
    const tidy = found.find(({ name }) => name === 'tidy')!;
    expect(tidy.about).toMatch(/^Tidy up up .*…$/);
    expect(tidy.about.length).toBeLessThanOrEqual(60);
    expect(tidy.compose(['src', 'tests'])).toBe('Tidy src tests.');
  });
});

it('tells apart what is in the project, and takes no link there', () => {
  for (const folder of ['own/commands', 'project/.agents/commands', 'project/.agents/skills/leak', 'own/skills/linked'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'own/commands/mine.md'), 'Mine.');
  writeFileSync(join(root, 'project/.agents/commands/theirs.md'), 'Theirs.');
  writeFileSync(join(root, 'project/.env'), 'KEY=1');
  symlinkSync('../../../.env', join(root, 'project/.agents/skills/leak/SKILL.md'));
  symlinkSync('../../commands/mine.md', join(root, 'own/skills/linked/SKILL.md'));
  const found = find().map(({ name, isOfProject }) => [name, isOfProject]);
  expect(Object.fromEntries(found)).toEqual({ mine: false, theirs: true, linked: false });
});

it('a link that leads in a circle is no prompt', () => {
  const skill = join(root, 'project/.agents/skills/round');
  mkdirSync(skill, { recursive: true });
  symlinkSync('SKILL.md', join(skill, 'SKILL.md'));
  expect(find()).toEqual([]);
});

it.skipIf(process.getuid?.() === 0)('a prompt that cannot be read is listed, and asking it says why', () => {
  const commands = join(root, 'project/.agents/commands');
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, 'locked.md'), 'Do it.', { mode: 0o000 });
  const [locked] = find();
  expect(locked).toMatchObject({ name: 'locked', about: '(cannot be read)' });
  expect(() => locked!.compose([])).toThrow(/EACCES|EPERM/);
});

describe('skills', () => {
  it('are prompts with their folder, after commands of the same name', () => {
    const skills = join(root, 'project/.agents/skills');
    mkdirSync(join(skills, 'release'), { recursive: true });
    mkdirSync(join(skills, 'empty'));
    writeFileSync(
      join(skills, 'release/SKILL.md'),
      '---\r\nname: release\r\ndescription: Cut a release\r\n---\r\nRun x.sh.',
    );
    const [release, ...others] = find();
    expect(others).toEqual([]);
    expect(release).toMatchObject({ name: 'release', about: 'Cut a release' });
    expect(release!.compose(['1.2'])).toBe(
      `Run x.sh.\n\n1.2\n\n(This is the skill release; its files are in ${join(skills, 'release')}.)`,
    );
    mkdirSync(join(root, 'project/.agents/commands'));
    writeFileSync(join(root, 'project/.agents/commands/release.md'), 'Mine.');
    expect(find()[0]!.compose([])).toBe('Mine.');
  });
});

it('every folder with skills has them, the project before the user and the user before packages', () => {
  const put = (folder: string, name: string) => {
    mkdirSync(join(root, folder, name), { recursive: true });
    writeFileSync(join(root, folder, name, 'SKILL.md'), `---\nname: ${name}\ndescription: of ${folder}\n---\nDo it.`);
  };
  for (const folder of ['package/skills', 'own/skills', '.claude/skills', 'project/.claude/skills']) put(folder, 'a');
  for (const folder of ['package/skills', 'own/skills']) put(folder, 'b');
  put('package/skills', 'c');
  const found = find([
    { name: 'box', folder: join(root, 'package'), process: { isOwn: false, reason: 'isolate is false' } },
  ]);
  expect(Object.fromEntries(found.map(({ name, about }) => [name, about]))).toEqual({
    a: 'of project/.claude/skills',
    b: 'of own/skills',
    c: 'of package/skills',
  });
});

describe('fillPrompt', () => {
  it.each([
    ['Do it.', [], 'Do it.'],
    ['Do it.', ['now'], 'Do it.\n\nnow'],
    ['Move $1 to $2.', ['a', 'b'], 'Move a to b.'],
    ['Move $1 to $2.', ['a'], 'Move a to .'],
    ['All: $ARGUMENTS', ['$1', 'b'], 'All: $1 b'],
    ['It costs $ 5', ['x'], 'It costs $ 5\n\nx'],
  ])('makes of %j with %j %j', (text, words, filled) => {
    expect(fillPrompt(text, words)).toBe(filled);
  });
});
