import { describe, expect, it } from 'vitest';
import { readSkillFile } from './skill-file.ts';

const file = (head: string, text = 'Do it.') => `---\n${head}\n---\n\n${text}\n`;
const good = 'name: release-notes\ndescription: Writes release notes. Use when a release is made.';

describe('readSkillFile', () => {
  it('reads name, description and instructions', async () => {
    expect(await readSkillFile(file(`${good}\ncompatibility: needs git`), 'release-notes')).toEqual({
      name: 'release-notes',
      description: 'Writes release notes. Use when a release is made.',
      compatibility: 'needs git',
      text: 'Do it.',
      problems: [],
    });
  });

  it('takes every field of the format, and Windows line ends', async () => {
    const head = `${good}\nlicense: MIT\nmetadata:\n  author: ada\nallowed-tools: Read Bash(git:*)`;
    expect((await readSkillFile(file(head).replaceAll('\n', '\r\n'), 'release-notes')).problems).toEqual([]);
  });

  it.each([
    ['No head at all.', 'it does not begin with frontmatter between two --- lines'],
    [file('- a list'), 'its frontmatter has no fields: expected name and description'],
    [file('a: [unclosed'), /^its frontmatter is not YAML \(/],
    [file('description: x'), 'name: expected lowercase letters, digits and single hyphens, at most 64; got nothing'],
    [file('name: release-notes'), 'description: expected a text of at most 1024 characters; got nothing'],
    [
      file('name: Release\ndescription: x'),
      'name: expected lowercase letters, digits and single hyphens, at most 64; got "Release"',
    ],
    [file('name: a--b\ndescription: x'), /single hyphens/],
    [file('name: other\ndescription: x'), 'name: expected that of its folder, release-notes; got "other"'],
    [file(`${good}\ncompatibility: ${'x'.repeat(501)}`), /^compatibility: expected a text of at most 500 characters/],
    [file(`name: release-notes\ndescription: ${'x'.repeat(1025)}`), /^description: expected a text of at most 1024/],
    [file(`${good}\nmetadata: x`), 'metadata: expected names with values; got "x"'],
    [file(`${good}\ntools: x`), /^tools: there is no such field\. There are name, description, license/],
    [file('a: &a [x]\nb: *a'), /^its frontmatter is not YAML/],
  ])('says what is wrong with %j', async (content, problem) => {
    const { problems } = await readSkillFile(content, 'release-notes');
    expect(problems).toContainEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
  });
});
