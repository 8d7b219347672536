import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { POSIX, SYSTEM_DIALECT, WINDOWS } from './path-dialect.ts';
import { containPath } from './root-folder.ts';

const NAMES = {
  roots: ['C:\\Code\\project', '\\\\server\\share\\project'],
  home: 'C:\\Users\\me',
  dialect: WINDOWS,
};

describe('a path on Windows', () => {
  it.each([
    ['src\\a.ts', 'src/a.ts'],
    ['src/a.ts', 'src/a.ts'],
    ['.\\src\\\\a.ts', 'src/a.ts'],
    ['C:\\Code\\project\\src\\a.ts', 'src/a.ts'],
    ['c:/code/PROJECT/src/a.ts', 'src/a.ts'],
    ['C:\\Code\\project', ''],
    ['C:\\Code\\project\\', ''],
    ['\\\\?\\C:\\Code\\project\\a.ts', 'a.ts'],
    ['\\\\server\\share\\project\\a.ts', 'a.ts'],
    ['//SERVER/Share/project/a.ts', 'a.ts'],
    ['\\\\?\\UNC\\server\\share\\project\\a.ts', 'a.ts'],
    ['console.log', 'console.log'],
    ['nullable.ts', 'nullable.ts'],
    ['.gitignore', '.gitignore'],
    ['~x~1/a', undefined],
    ['a~1/b', 'a~1/b'],
  ])('%s is %s below the root', async (given, path) => {
    if (path === undefined)
      expect(await describeOutcome(() => containPath(given, NAMES))).toContain('is the home folder');
    else expect(containPath(given, NAMES)).toBe(path);
  });

  it.each([
    ['D:\\Code\\project\\a.ts', 'paths are relative to its root folder'],
    ['C:\\Code\\project-other\\a.ts', 'paths are relative to its root folder'],
    ['C:\\Code', 'paths are relative to its root folder'],
    ['\\Code\\project\\a.ts', 'paths are relative to its root folder'],
    ['\\\\other\\share\\project\\a.ts', 'paths are relative to its root folder'],
    ['\\\\server\\other\\project\\a.ts', 'paths are relative to its root folder'],
    ['\\\\.\\C:\\Code\\project\\a.ts', 'a colon names a hidden part of a file on Windows'],
    ['\\\\?\\Volume{1}\\a.ts', 'paths are relative to its root folder'],
    ['C:a.ts', 'without a slash after C:, it begins in another folder'],
    ['c:', 'without a slash after c:, it begins in another folder'],
    ['~\\.ssh\\id_rsa', 'paths are relative to its root folder'],
    ['..\\other\\a.ts', "'..' is not followed"],
    ['C:\\Code\\project\\..\\other', "'..' is not followed"],
    ['src\\NUL', "'NUL' is a device of Windows in every folder"],
    ['con.txt', "'con' is a device of Windows in every folder"],
    ['com1 .log', "'com1' is a device of Windows in every folder"],
    ['LPT¹', "'LPT¹' is a device of Windows in every folder"],
    ['a.txt:stream', 'a colon names a hidden part of a file on Windows'],
    ['a.txt::$DATA', 'a colon names a hidden part of a file on Windows'],
    ['.env.', 'Windows removes a dot or blank at the end of a name'],
    ['.git \\config', 'Windows removes a dot or blank at the end of a name'],
  ])('%s is refused: %s', async (given, cause) => {
    const outcome = await describeOutcome(() => containPath(given, NAMES));
    expect(outcome).toContain(`is outside the workspace: ${cause}.`);
    expect(outcome).toMatch(/\nTry: <[RG]:.+>$/);
  });

  it('may lead anywhere below the root of a drive', () => {
    expect(containPath('c:\\x\\a.ts', { ...NAMES, roots: ['C:\\'] })).toBe('x/a.ts');
  });
});

describe('a path on other systems', () => {
  it('contains backslashes and colons as any other character', () => {
    const names = { roots: ['/code'], home: '/home/me', dialect: POSIX };
    expect(containPath('src\\a.ts', names)).toBe('src\\a.ts');
    expect(containPath('nul', names)).toBe('nul');
    expect(containPath('C:\\a:b.', names)).toBe('C:\\a:b.');
  });

  it('is the one of this machine, except on Windows', () => {
    expect(SYSTEM_DIALECT).toBe(process.platform === 'win32' ? WINDOWS : POSIX);
  });

  it('is below a folder by whole names, in the same case', () => {
    expect(POSIX.below('/a/b/c', '/a/b')).toBe('c');
    expect(POSIX.below('/a/b', '/a/b/')).toBe('');
    expect(POSIX.below('/a/bc', '/a/b')).toBeUndefined();
    expect(POSIX.below('/A/b/c', '/a/b')).toBeUndefined();
    expect(POSIX.below('/etc', '/')).toBe('etc');
  });
});
