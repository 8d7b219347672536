import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText, createAgent, type Provision } from '@bae/core';
import { provideCommandAccess } from '@bae/project';
import { describeResourcespace } from '@bae/testing/vitest';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { provideSkills, SkillsSpace, type SkillFolder } from './skills-space.ts';

const skill = (name: string, about: string) =>
  `---\nname: ${name}\ndescription: ${about}\n---\n\n# ${name}\n\nFirst look.\n`;
const PROJECT = {
  '.agents/skills/release/SKILL.md': skill('release', 'Makes a release.'),
  '.agents/skills/release/scripts/tag.sh': 'git tag\n',
  '.agents/skills/release/notes/form.md': 'The form.\n',
  '.claude/skills/review/SKILL.md': skill('review', 'Reviews a change.'),
  '.agents/skills/broken/SKILL.md': '---\nname: Broken\n---\n',
  '.agents/skills/empty/README.md': 'No skill.\n',
  'secret.txt': 'not of a skill\n',
};

function open(folders: readonly SkillFolder[] = [], ...others: readonly Provision[]) {
  const folder = temporaryFolder(PROJECT);
  const provide = [provideWorkspace(folder), provideSkills(folders), ...others];
  const agent = createAgent({ spaces: [SkillsSpace], provide });
  onTestFinished(() => agent.close());
  const run = async (tag: string) => (await agent.run(asModelText(tag))).calls.at(-1)!.result;
  return { folder, run, read: async (tag: string) => (await run(tag)).text };
}

describe('the skills of a project', () => {
  it('are in the place by name and description, and a wrong one with what is wrong', async () => {
    const { read } = open();
    expect(await read('<skills.R:>')).toBe(
      `broken -- not usable: name: expected lowercase letters, digits and single hyphens, at most 64; got "Broken" (of this project)
release -- Makes a release. (of this project)
review -- Reviews a change. (of this project)`,
    );
    expect(await read('@skills()')).toContain('3 skills: broken, release, review');
  });

  it('are read with their text and their files; scripts only run elsewhere', async () => {
    const { read } = open();
    expect(await read('<skills.R:release>')).toBe(
      `release -- Makes a release. (of this project)

# release

First look.

Its files: <skills.R:release/notes/form.md> <skills.R:release/scripts/tag.sh>
Its scripts run only through the tools that run commands, each with consent.`,
    );
    expect(await read('<skills.R:release/notes/form.md>')).toBe('The form.\n');
    expect(await read('<skills.R:release/scripts>')).toBe('<skills.R:release/scripts/tag.sh>');
    expect(await read('<skills.Grep:change>')).toMatch(/^review /);
  });

  it('are named by tags that run where the agent stands', async () => {
    const { read, run } = open();
    await run('@skills()');
    expect(await read('<R:release>')).toContain('<R:release/notes/form.md>');
    expect(await read('<R:release/scripts>')).toBe('<R:release/scripts/tag.sh>');
    expect(await read('<R:release/notes/frm.md>')).toBe(
      'ResourceError: the skill release has no file notes/frm.md. Did you mean notes/form.md?\nTry: <R:release/notes/form.md>',
    );
    await run('@home()');
    expect(await read('<skills.R:release/notes/frm.md>')).toMatch(/\nTry: <skills\.R:release\/notes\/form\.md>$/);
    expect(await read('<skills.R:release/../../../secret.txt>')).not.toContain('<R:.');
    expect(await read('<skills.R:release/\\0>')).toMatch(/\nTry: <skills\.R:release>$/);
  });

  it('say whether their scripts can be run', async () => {
    const remedy = 'the user can start bae with --allow-commands';
    const closed = open([], provideCommandAccess({ isOpen: false, remedy }));
    expect(await closed.read('<skills.R:release>')).toMatch(
      /\nIts scripts cannot be run\. Commands are off: the user /,
    );
    const opened = open([], provideCommandAccess({ isOpen: true, remedy }));
    expect(await opened.read('<skills.R:release>')).toMatch(/, each with consent: @terminal\(\)\.$/);
  });

  it('suggest the nearest, and refuse what is not theirs', async () => {
    const { read, run, folder } = open();
    expect(await read('<skills.R:relese>')).toContain('Did you mean release?');
    expect(await run('<skills.R:broken>')).toMatchObject({ ok: false });
    symlinkSync('../../../secret.txt', join(folder, '.agents/skills/release/link.md'));
    for (const path of ['../../../secret.txt', 'link.md', '/etc/passwd', '../review/SKILL.md'])
      expect((await run(`<skills.R:release/${path}>`)).ok, path).toBe(false);
  });
});

describe('skills of the user and of plugins', () => {
  it('are there too, and those of the project come first', async () => {
    const user = temporaryFolder({
      'release/SKILL.md': skill('release', 'Another one.'),
      'mail/SKILL.md': skill('mail', 'Writes a mail.'),
      'mail/form.txt': 'Dear',
    });
    const { read } = open([
      { path: user, from: 'yours' },
      { path: join(user, 'missing'), from: 'of nobody' },
    ]);
    expect(await read('<skills.R:>')).toMatch(/release -- Makes a release\.[^]*\nmail -- Writes a mail\. \(yours\)$/);
    expect(await read('<skills.R:mail/form.txt>')).toBe('Dear');
  });
});

const many = Array.from({ length: 60 }, (_, index) => [
  `.agents/skills/skill-${index}/SKILL.md`,
  skill(`skill-${index}`, `Does login ${index}.`),
]);
describeResourcespace({
  create: () => ({
    space: SkillsSpace,
    provide: [provideWorkspace(temporaryFolder(Object.fromEntries(many))), provideSkills([])],
  }),
  samples: { existing: 'skill-1', missing: 'skill-99x', grep: { matches: 'login', misses: 'nowhere' } },
});
