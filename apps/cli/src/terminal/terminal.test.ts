import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { createStatusLine } from './terminal.ts';

const ERASE = '\r\u001B[K';

function open(options: ConstructorParameters<typeof MemoryOutput>[0] = {}) {
  const screen = new MemoryOutput({ isTerminal: true, ...options });
  return { screen, status: createStatusLine(screen) };
}

describe('the status line', () => {
  it('replaces one text by another, and disappears when there is none', () => {
    const { screen, status } = open();
    status.set('step', 'one');
    status.set('step', 'two');
    status.set('step', 'two');
    status.clear('step');
    status.clear('step');
    expect(screen.text).toBe(`${ERASE}one${ERASE}two${ERASE}`);
  });

  it('shows several texts side by side', () => {
    const { screen, status } = open();
    status.set('step', 'reading');
    status.set('index', '3 of 9');
    status.clear('step');
    expect(screen.text).toBe(`${ERASE}reading${ERASE}reading · 3 of 9${ERASE}3 of 9`);
  });

  it('never gets longer than the line', () => {
    const { screen, status } = open({ width: 10 });
    status.set('step', 'a very long thing');
    expect(screen.text).toBe(`${ERASE}a very l…`);
  });

  it('makes room for what is written, and returns with the next text', () => {
    const { screen, status } = open();
    status.set('step', 'one');
    status.giveWay('text\n');
    screen.write('text\n');
    status.giveWay('more\n');
    screen.write('more\n');
    status.set('step', 'one');
    expect(screen.text).toBe(`${ERASE}one${ERASE}text\nmore\n${ERASE}one`);
  });

  it('takes nothing away of a line that has no end yet', () => {
    const { screen, status } = open();
    status.giveWay('name: ');
    status.set('step', 'one');
    status.giveWay('');
    status.set('step', 'two');
    expect(screen.text).toBe('');
    status.giveWay('bae\n');
    status.set('step', 'three');
    expect(screen.text).toBe(`${ERASE}three`);
  });

  it('is not kept away by nothing', () => {
    const { screen, status } = open();
    status.giveWay('');
    status.set('step', 'one');
    expect(screen.text).toBe(`${ERASE}one`);
  });

  it('stays away while somebody types', () => {
    const { screen, status } = open();
    status.set('step', 'one');
    const [release, second] = [status.hold(), status.hold()];
    status.set('step', 'two');
    release();
    release();
    status.set('step', 'three');
    expect(screen.text).toBe(`${ERASE}one${ERASE}`);
    second();
    status.set('step', 'four');
    expect(screen.text).toBe(`${ERASE}one${ERASE}${ERASE}four`);
  });

  it('is not there where no person looks', () => {
    const { screen, status } = open({ isTerminal: false });
    status.set('step', 'one');
    status.giveWay('text\n');
    status.clear('step');
    expect(screen.text).toBe('');
  });
});
