import { expect, it } from 'vitest';
import { describeBlame } from './describe-blame.ts';

const [FIRST, SECOND] = ['a'.repeat(40), 'b'.repeat(40)] as const;

/** What git prints about a commit where it is named for the first time. */
function about(author: string, zone: string, summary: string): string {
  return `author ${author}\nauthor-mail <x@example.org>\nauthor-time 1700000000\nauthor-tz ${zone}\nsummary ${summary}\nfilename a.ts\n`;
}

it('names a commit once above its lines, and again after lines of another', () => {
  const porcelain = [
    `${FIRST} 4 9 2\n${about('Ann Lee', '+0200', 'Begin')}\tone`,
    `${FIRST} 5 10\n\t\ttwo`,
    `${SECOND} 11 11 1\n${about('Bo', '-1200', 'A first line that is longer than anybody wants to read again and again')}\tthree`,
    `${FIRST} 6 12 1\n\t`,
  ].join('\n');
  expect(describeBlame(`${porcelain}\n`)).toBe(
    `aaaaaaaa 2023-11-15 Ann Lee: Begin
9|one
10|\ttwo
bbbbbbbb 2023-11-14 Bo: A first line that is longer than anybody wants to read agai…
11|three
aaaaaaaa 2023-11-15 Ann Lee: Begin
12|`,
  );
});

it('shows nothing of an empty file', () => {
  expect(describeBlame('')).toBe('');
});
