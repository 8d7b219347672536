import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { containPath } from './contain-path.ts';

const NAMES = { roots: ['/real/project', '/home/me/project'], home: '/home/me' };

const LEAVING = [
  '..', '../', './..', '../..', '../x', '../../x', '../../../../../../../../etc/passwd', './../x', 'a/..', 'a/../..',
  'a/../../x', 'a/b/../../../x', 'a/./../../x', 'a//..//..//x', '.../../..', '..//x', '../project-other/x',
  '../project/../x', 'a/../b', 'src/..', './.././x', '../.', '..\\x', '..\\..\\x', 'a\\..\\..\\x', 'a/..\\x', '.\\..',
  '/', '//', '/.', '/..', '/etc', '/etc/passwd', '//etc/passwd', '///etc///passwd', '/etc/../etc/passwd', '/real', '/real/',
  '/real/projectx', '/real/project-other/x', '/real/project/..', '/real/project/../x', '/real/project/a/../../x',
  '/real//project/../../etc', '/home/me', '/home/me/projects', '/home/me/.ssh/id_rsa', '/proc/self/environ', '/proc/1/root',
  '/dev/zero', '/dev/stdin', '/tmp/x', '/REAL/PROJECT/x', '/Real/project/x', '/./etc/passwd', '~', '~/', '~/x', '~/.ssh/id_rsa',
  '~/..', '~/../x', '~/project/../x', '~//.ssh', '~root', '~root/.ssh', '~me/project', '~+', '~-', '\0', 'a\0', '\0a',
  'a/\0/b', 'a.txt\0.png', '../\0', '/real/project/\0', '/real/project\0/../../etc/passwd',
]; // prettier-ignore

const STAYING: readonly (readonly [given: string, path: string])[] = [
  ['', ''], ['.', ''], ['./', ''], ['.//.', ''], ['a', 'a'], ['a/', 'a'], ['./a', 'a'], ['a/b', 'a/b'], ['a//b', 'a/b'],
  ['a/./b', 'a/b'], ['.a', '.a'], ['..a', '..a'], ['a..', 'a..'], ['...', '...'], ['a..b/c', 'a..b/c'], ['%2e%2e/x', '%2e%2e/x'],
  ['file:///etc/passwd', 'file:/etc/passwd'], ['C:\\x\\y', 'C:\\x\\y'], ['$HOME/x', '$HOME/x'], ['a~', 'a~'], ['./~root', '~root'],
  ['a/~', 'a/~'], ['․․/x', '․․/x'], ['dócs/日本語.md', 'dócs/日本語.md'], [' a ', ' a '], ['a b/c', 'a b/c'], ['-rf', '-rf'],
  ['/real/project', ''], ['/real/project/', ''], ['/real/project/a.ts', 'a.ts'], ['/real//project//a.ts', 'a.ts'],
  ['/home/me/project/a.ts', 'a.ts'], ['~/project/a.ts', 'a.ts'], ['~/project', ''],
]; // prettier-ignore

describe('containPath', () => {
  it.each(LEAVING)('refuses %j', async (given) => {
    expect(await describeOutcome(() => containPath(given, NAMES))).toMatch(
      /^PathError: .* is outside the workspace: .*\.\nTry: <[RG]:.+>$/,
    );
  });

  it.each(STAYING)('takes %j as %j', (given, path) => {
    expect(containPath(given, NAMES)).toBe(path);
  });

  it('takes every absolute path as inside when the root is the root of the disk', () => {
    expect(containPath('/etc/hosts', { roots: ['/'], home: '/root' })).toBe('etc/hosts');
  });

  it('gives the reason and what to do instead', async () => {
    expect(await describeOutcome(() => containPath('../lib/main.ts', NAMES))).toBe(
      "PathError: ../lib/main.ts is outside the workspace: '..' is not followed.\nTry: <G:**/main.ts>",
    );
    expect(await describeOutcome(() => containPath('/etc/passwd', NAMES))).toBe(
      'PathError: /etc/passwd is outside the workspace: paths are relative to its root folder.\nTry: <G:**/passwd>',
    );
    expect(await describeOutcome(() => containPath('~root', NAMES))).toBe(
      "PathError: ~root is outside the workspace: '~' is the home folder. A name that begins so is written ./~root.\nTry: <R:.>",
    );
    expect(await describeOutcome(() => containPath('a\n\0', NAMES))).toBe(
      String.raw`PathError: a\x0a\x00 is outside the workspace: it contains a NUL character.` + '\nTry: <R:.>',
    );
  });

  it('refuses a path that is too long or too deep, before anything is looked up', async () => {
    expect(containPath('a'.repeat(4096), NAMES)).toHaveLength(4096);
    expect(await describeOutcome(() => containPath('é'.repeat(2049), NAMES))).toMatch(
      /^FileError: é+…: the path is 4098 bytes long; at most 4096\.\nTry: <R:\.>$/,
    );
    expect(containPath('a/'.repeat(255), NAMES)).toHaveLength(509);
    expect(await describeOutcome(() => containPath('./a/'.repeat(256), NAMES))).toMatch(
      /: the path has 256 parts; at most 255\.\nTry: <R:\.>$/,
    );
  });
});
