import { describe, expect, it } from 'vitest';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { plainMessage } from './plain-message.ts';

const packages = [
  { label: 'core', name: '@x/core', folder: 'packages/core', description: '' },
  { label: '', name: undefined, folder: '', description: '' },
];
const catalog = new CodeCatalog(['packages/core/src/lib/a.ts', 'packages/core/src/index.ts'], packages);
const shown = (message: string) => plainMessage({ code: 2322, message }, { folder: '/home/me/x', catalog });

describe('a message of the compiler', () => {
  it('has its number and its first line', () => {
    expect(shown("Type 'A' is wrong.\n  It has no b.")).toBe("TS2322: Type 'A' is wrong.");
  });

  it('names modules where it has paths', () => {
    expect(shown('Type \'import("/home/me/x/packages/core/src/lib/a").A\' is not "b".')).toBe(
      'TS2322: Type \'import("core.lib.a").A\' is not "b".',
    );
    expect(shown("File '/home/me/x/packages/core/src/index.ts' is no module, nor is '/home/me/x/notes.md'.")).toBe(
      "TS2322: File 'core' is no module, nor is 'notes.md'.",
    );
  });
});
