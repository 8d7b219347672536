// @module-tag long

import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const USER = `export interface User {
  name: string;
  age: number;
}
export type Other = { name: string };
`;

/** Renames a member of a type that a module uses; returns the module, and the result. */
async function rename(uses: string) {
  const { send, content } = openSource({
    'package.json': '{"name":"demo"}',
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","allowImportingTsExtensions":true},"include":["src"]}',
    'src/user.ts': USER,
    'src/uses.ts': `import type { Other, User } from './user.ts';\ndeclare const user: User, key: keyof User;\n${uses}\n`,
  });
  const result = await send('<rename:User.name to=label>');
  return { result, uses: content('src/uses.ts').split('\n').slice(2, -1).join('\n') };
}

describe('a member that is renamed', () => {
  it.each([
    ["type A = Pick<User, 'name'>;", "type A = Pick<User, 'label'>;"],
    ['type A = Pick<User, "age" | "name">;', 'type A = Pick<User, "age" | "label">;'],
    ["type A = Omit<User, 'name'>;", "type A = Omit<User, 'label'>;"],
    ["type A = Omit<Pick<User, 'name'>, 'name'>;", "type A = Omit<Pick<User, 'label'>, 'label'>;"],
    ["type A = Exclude<keyof User, 'name'>;", "type A = Exclude<keyof User, 'label'>;"],
    ["type A = User['name'];", "type A = User['label'];"],
    ["const a = user['name'];", "const a = user['label'];"],
    ["const a: keyof User = 'name';", "const a: keyof User = 'label';"],
    ["const a: keyof User = key ? 'name' : 'age';", "const a: keyof User = key ? 'label' : 'age';"],
    ["const a: (keyof User)[] = ['age', 'name'];", "const a: (keyof User)[] = ['age', 'label'];"],
    ["const a = (): keyof User => {\n  return 'name';\n};", "const a = (): keyof User => {\n  return 'label';\n};"],
    ["const a = key === 'name';", "const a = key === 'label';"],
    ["switch (key) {\n  case 'name':\n}", "switch (key) {\n  case 'label':\n}"],
    ["const a = (one: keyof User) => one;\na('name');", "const a = (one: keyof User) => one;\na('label');"],
    [
      'const a: Record<keyof User, number> = { name: 1, age: 2 };\na.name;',
      'const a: Record<keyof User, number> = { label: 1, age: 2 };\na.label;',
    ],
    [
      'const name = 1;\nconst a: Record<keyof User, number> = { name, age: 2 };',
      'const name = 1;\nconst a: Record<keyof User, number> = { label: name, age: 2 };',
    ],
  ])('is renamed as a key: %s', async (before, after) => {
    const { result, uses } = await rename(before);
    expect(uses).toBe(after);
    expect(result).toMatch(/^Renamed User\.name in user to label: \d places in 2 modules\n/);
    expect(result).toContain('no new type errors');
  });

  it.each([
    "type A = Omit<Other, 'name'>;",
    "type A = Pick<Other, 'name'>;",
    "type A = Exclude<'name' | 'age', 'name'>;",
    "type A = Exclude<'no', 'name'> | Pick<User, 'age'>;",
    "const a: keyof Other = 'name';",
    'const a = { name: 1 };\na.name;',
    "const a: string = 'name';",
  ])('is not the key of another type: %s', async (text) => {
    expect((await rename(text)).uses).toBe(text);
  });

  it('is not renamed when a constant has its name; the line with the error is shown', async () => {
    const text = "const NAME = 'name';\nconst a = user[NAME];";
    const { result, uses } = await rename(text);
    expect(uses).toBe(text);
    expect(result).toBe(
      `EditError: User.name in user was not renamed; it would bring 1 new type error:
  uses:4: TS7053: Element implicitly has an 'any' type because expression of type '"name"' can't be used to index type 'User'.
Try: <R:uses:4>
Try: <Grep:\\bname\\b>`,
    );
  });
});
