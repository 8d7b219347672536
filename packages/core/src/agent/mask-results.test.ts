import { describe, expect, it } from 'vitest';
import { memoryResults } from '../results/memory-results.ts';
import { maskResults } from './mask-results.ts';

const NONCE = '9f2c41d07ab3e685';
const LONG = Array.from({ length: 50 }, (_, line) => `line ${line} of something`).join('\n');
const framed = (kind: string, ...parts: string[]) => `[${kind} ${NONCE}]\n${parts.join('\n---\n')}\n[end ${NONCE}]`;

describe('maskResults', () => {
  it('keeps headers, handles and everything outside the frame', () => {
    const results = memoryResults();
    const message = `[Location: home]\n${framed('Tool output', `#1 <R:a> [home] ok\n${LONG}`, '#2 <R:b> [home] ResourceError\nResourceError: no b.')}\n[Note] kept.\n\nThe next prompt.`;
    expect(maskResults(message, results)).toBe(
      `[Location: home]\n${framed('Tool output', '#1 <R:a> [home] ok\n(masked: 50 lines; full: <R:result:1>)', '#2 <R:b> [home] ResourceError\nResourceError: no b.')}\n[Note] kept.\n\nThe next prompt.`,
    );
    expect(results.get('result:1')).toBe(LONG);
  });

  it('uses the handle that a pruned result already has', () => {
    const results = memoryResults();
    const pruned = `#1 <R:a> [home] ok\n${LONG}\n[pruned: 200 -> 50 items; full: <R:result:7>]`;
    expect(maskResults(framed('Tool output', pruned), results)).toContain('(masked: 51 lines; full: <R:result:7>)');
    expect(results.handles?.()).toEqual([]);
  });

  it('masks the output of run blocks', () => {
    const results = memoryResults();
    expect(maskResults(framed('Output', LONG, '4'), results)).toBe(
      framed('Output', '(masked: 50 lines; full: <R:result:1>)', '4'),
    );
  });

  it('takes separators and headers inside a result for text, unless they carry the next number', () => {
    const results = memoryResults();
    const tricky = `#1 <R:a> [home] ok\n${LONG}\n---\n#7 <R:x> [home] ok\n---\nplain\n${LONG}`;
    const masked = maskResults(framed('Tool output', tricky, `#2 <R:b> [home] ok\n${LONG}`), results);
    expect(masked.match(/^#\d/gm)).toEqual(['#1', '#2']);
    expect(results.get('result:1')).toBe(tricky.slice(tricky.indexOf('\n') + 1));
  });

  it('leaves text that only looks like a frame alone', () => {
    for (const message of [`[Tool output ${NONCE}]\n${LONG}`, `[Tool output]\n${LONG}\n[end]`, LONG, '']) {
      expect(maskResults(message, memoryResults())).toBe(message);
    }
  });

  it('changes nothing the second time', () => {
    const results = memoryResults();
    const once = maskResults(framed('Tool output', `#1 <R:a> [home] ok\n${LONG}`), results);
    expect(maskResults(once, results)).toBe(once);
  });
});
