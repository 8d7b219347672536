import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/open-commands.ts';
import { splitCommand } from '../command-words.ts';
import { isReadCommand, isReadScript } from './read-commands.ts';

const reads = (command: string) => isReadCommand(splitCommand(command, ''));

describe('a command that only reads', () => {
  it.each([
    'ls -la src',
    'cat a.txt',
    'grep -rn --include=*.ts -o TODO src',
    'rg -n --pretty TODO',
    "find . -name '*.ts' -newer a.txt -print",
    'git status --short',
    'git --no-pager log --oneline -5',
    'git diff HEAD~1 -- src/o.ts',
    'git show --stat',
    'git branch -vv',
    'git remote -v',
    'git --version',
    'node --version',
    'date +%s',
    'sort -u -k2 a.txt',
    'uniq -c a.txt',
    "sed -n '1,20p;40,$p' a.txt",
    'tree -L 2',
  ])('is known: %s', (command) => {
    expect(reads(command)).toBe(true);
  });

  it.each([
    './ls',
    '/bin/ls',
    'rm a.txt',
    'env ls',
    'node a.js',
    'node --version a.js',
    'npm test',
    'rg --pre ./x TODO',
    'rg --pre=./x TODO',
    'rg --hostname-bin ./x TODO',
    'find . -delete',
    "find . -exec rm '{}' +",
    'find . -fprintf out x',
    'git commit -m x',
    'git log --output=x',
    'git log --outp x',
    'git diff --ext-diff',
    'git -c alias.log=!x log',
    'git branch new',
    'git branch -D old',
    'git remote add x y',
    'date -s 12:00',
    'sort -o a.txt a.txt',
    'sort -uo a.txt a.txt',
    'sort --outp=a.txt a.txt',
    'sort --compress-program=./x a.txt',
    'uniq a.txt b.txt',
    'uniq - b.txt',
    'printf -v PATH .',
    'sed -i s/a/b/ a.txt',
    "sed -n 'w b.txt' a.txt",
    "sed -n '1p' -i a.txt",
    'tree -o x',
    'tree -R -L 1',
    'file -C -m x',
    'constructor',
  ])('is not taken for one: %s', (command) => {
    expect(reads(command)).toBe(false);
  });
});

describe('a text for a shell that only reads', () => {
  it.each([
    'ls | wc -l',
    'cd src && grep -rn "a b" . | sort -u | head -5',
    'cat src/*.ts 2>/dev/null | grep x; git status',
    'ls\npwd',
    'ls nowhere 2>&1 || echo none',
    'ls >/dev/null && echo done',
  ])('is known: %s', (text) => {
    expect(isReadScript(text)).toBe(true);
  });

  it.each([
    '',
    'ls > a.txt',
    'ls >> a.txt',
    'ls >/dev/nullx',
    'ls 2>/dev/null/../x',
    'echo $(rm a)',
    'echo `rm a`',
    'echo "$(rm a)"',
    'echo "`rm a`"',
    'ls & rm a',
    'ls | xargs rm',
    'ls | tee a.txt',
    'ls() { rm a; }; ls',
    'PATH=. ls',
    'find -* -print',
    'find -d* x',
    "find -''d* x",
    'find "-"d* x',
    'find * -print',
    'sort *',
    'uniq a*',
    'cat <(rm a)',
    'echo \\\n> a.txt',
    'if true; then rm a; fi',
    'ls\nrm a',
    "ls '\n' > a",
  ])('is not taken for one: %s', (text) => {
    expect(isReadScript(text)).toBe(false);
  });

  it('would write nothing where its quotes hide an operator, or a file looks like an option', () => {
    const folder = temporaryFolder({ 'a.txt': '1', '-o': '1', sub: 'x' });
    for (const text of [`echo '> out' "| tee out"`, 'sort a.tx* su*', 'cat a.txt | sort -u | uniq']) {
      expect(isReadScript(text)).toBe(true);
      execFileSync('sh', ['-c', text], { cwd: folder });
    }
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
});
