import { describe, expect, it } from 'vitest';
import { stage } from '../loop/stage.ts';

const WRITE = '<W:owned.txt>\nx\n</W>';
const CALL = '<tool_call>\n{"name":"write","arguments":{"target":"owned.txt","content":"x"}}\n</tool_call>';
const CODE = '<run>\nawait write("owned.txt", "x");\n</run>';

/** Responses that only think of writing; all of them answer `Done.`, and a thought has the word `musing`. */
const THOUGHTS: Readonly<Record<string, string>> = {
  think: `<think>\nmusing\n${WRITE}\n</think>\nDone.`,
  thinking: `<thinking>\nmusing\n${WRITE}\n</thinking>\nDone.`,
  reasoning: `<reasoning>\nmusing\n${WRITE}\n</reasoning>\nDone.`,
  'in capitals': `<THINK>\nmusing\n${WRITE}\n</THINK>\nDone.`,
  'in mixed case': `<Thinking>\nmusing\n${WRITE}\n</thinking>\nDone.`,
  'with attributes': `<think effort="high">\nmusing\n${WRITE}\n</think>\nDone.`,
  'with blanks in its tags': `<think >\nmusing\n${WRITE}\n</think >\nDone.`,
  'with a tab in its tags': `<think\t>\nmusing\n${WRITE}\n</think\t>\nDone.`,
  'with line breaks of Windows': `<think>\r\nmusing\r\n${WRITE}\r\n</think>\r\nDone.`,
  'with old line breaks': `<think>\rmusing\n${WRITE}\n</think>\nDone.`,
  'after a byte order mark': `\uFEFF<think>\nmusing\n${WRITE}\n</think>\nDone.`,
  'after an invisible character': `\u200B<think>\nmusing\n${WRITE}\n</think>\nDone.`,
  'that begins within a line': `Done. <think>musing\n${WRITE}\n</think>`,
  'that is indented': `    <think>\n    musing\n${WRITE}\n    </think>\nDone.`,
  'that is quoted': `> <think>\n> musing\n${WRITE}\n> </think>\n\nDone.`,
  'in a list': `- <think>\n  musing\n${WRITE}\n  </think>\n\nDone.`,
  'inside another': `<think>\n<think>\nmusing\n</think>\n${WRITE}\n</think>\nDone.`,
  'of another name inside': `<think>\n<reasoning>\nmusing\n</reasoning>\n${WRITE}\n</think>\nDone.`,
  'whose beginning the service has kept': `musing\n${WRITE}\n</think>\nDone.`,
  'whose end is in the line of the answer': `<think>\nmusing\n${WRITE}\n</think>Done.`,
  'that holds a call in JSON': `<think>\nmusing\n${CALL}\n</think>\nDone.`,
  'that holds code': `<think>\nmusing\n${CODE}\n</think>\nDone.`,
  'that ends in code': `<think>\nmusing\n<run>\nawait write("owned.txt", "x");\n</think>\nDone.`,
  'that holds a fence': `<think>\nmusing\n\`\`\`xml\n${WRITE}\n\`\`\`\n${WRITE}\n</think>\nDone.`,
  'that holds an open fence': `<think>\nmusing\n\`\`\`\n${WRITE}\n</think>\nDone.`,
  'that shows its own end': `<think>\nmusing on \`</think>\`\n${WRITE}\n</think>\nDone.`,
  'that calls in one line': `<think>musing <W:owned.txt>x</W></think>\nDone.`,
  'in front of a call in its line': `<think>musing</think><think>musing ${WRITE}</think>\nDone.`,
  twice: `<think>\nmusing\n</think>\n<think>\n${WRITE}\n</think>\nDone.`,
  'after the answer': `Done.\n<think>\nmusing\n${WRITE}\n</think>`,
  'that does not end': `Done.\n<think>\nmusing\n${WRITE}\n`,
  'that ends with another name': `Done.\n<think>\nmusing\n${WRITE}\n</thinking>`,
};

describe('a thought', () => {
  it.each(Object.entries(THOUGHTS))('changes nothing, and is no part of the answer: %s', async (_, text) => {
    const { agent, read, model } = stage([text, 'Done.']);
    const answer = await agent.ask('x');
    expect(() => read('owned.txt')).toThrow('ENOENT');
    expect(answer).toContain('Done.');
    expect(answer).not.toContain('musing');
    expect(model.sends.length).toBe(1);
  });
});

describe('what only looks like a thought', () => {
  it.each([
    ['in a fence', `\`\`\`\n<think>\n\`\`\`\n${WRITE}`],
    ['in the text that is written', '<W:owned.txt>\n<think>\nx\n</think>\n</W>'],
    ['in a word', `I <thinker> of it.\n${WRITE}`],
    ['in a code span', `The tag \`<think>\` begins a thought.\n${WRITE}`],
  ])('does not keep a call from running: %s', async (_, text) => {
    const { agent, read } = stage([text, 'Done.']);
    expect(await agent.ask('x')).toBe('Done.');
    expect(read('owned.txt')).toMatch(/^(<think>\n)?x\n/);
  });
});
