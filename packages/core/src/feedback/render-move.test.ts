import { describe, expect, it } from 'vitest';
import { renderMove } from './render-move.ts';

const path = (dotted: string) => (dotted === '' ? [] : dotted.split('.'));
const line = (from: string, to: string) => renderMove({ from: path(from), to: path(to), moved: from !== to });

describe('renderMove', () => {
  it('names what is left and what is entered', () => {
    expect(line('', 'source')).toBe('Entering source');
    expect(line('', 'source.meta')).toBe('Entering source.meta');
    expect(line('source', 'tasks')).toBe('Left source -> entering tasks');
    expect(line('source.meta', 'source')).toBe('Left source.meta -> entering source');
    expect(line('source.meta', '')).toBe('Left source.meta -> home');
  });

  it('says so when nothing moved', () => {
    expect(line('source.meta', 'source.meta')).toBe('Already in source.meta.');
    expect(line('', '')).toBe('Already in home.');
  });
});
