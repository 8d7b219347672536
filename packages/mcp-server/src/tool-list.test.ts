import { describe, expect, it } from 'vitest';
import { INSTRUCTIONS, TOOL_LIST } from './tool-list.ts';

describe('the tools of the server', () => {
  it('are six, and cost a client little, whatever places there are', () => {
    expect(TOOL_LIST.map(({ name }) => name)).toEqual(['see', 'look_up', 'call', 'run', 'read_result', 'find']);
    expect(JSON.stringify(TOOL_LIST).length + INSTRUCTIONS.length).toBeLessThan(3700);
  });

  it('say which of them only read', () => {
    const reading = TOOL_LIST.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(reading).toEqual(['see', 'look_up', 'read_result', 'find']);
  });
});
