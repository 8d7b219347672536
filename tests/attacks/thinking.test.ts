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
  'in the line of the answer': `<think>musing</think>Done.`,
  'in the middle of the answer': `D<think>musing</think>one.`,
  'that ends with another name': `Done.\n<think>\nmusing\n${WRITE}\n</thinking>`,
};

/** How models mark a thought, by what uses the marks. */
const MARKS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  'Qwen and others': ['<think>', '</think>'],
  'prompts that ask for thoughts': ['<thought>', '</thought>'],
  'prompts of Anthropic': ['<thinking>', '</thinking>'],
  'Seed-OSS': ['<seed:think>', '</seed:think>'],
  LongCat: ['<longcat_think>', '</longcat_think>'],
  'MiniMax M3': ['<mm:think>', '</mm:think>'],
  'Hunyuan 3': ['<think:opensource>', '</think:opensource>'],
  Magistral: ['[THINK]', '[/THINK]'],
  Kimi: ['◁think▷', '◁/think▷'],
  'gpt-oss': ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  'gpt-oss, whole': ['<|start|>assistant<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
  'gpt-oss without special tokens': ['analysisWe think.', 'assistantfinal'],
  'Gemma 4': ['<|channel>thought', '<channel|>'],
  'Command A': ['<|START_THINKING|>', '<|END_THINKING|><|START_RESPONSE|>'],
  Apertus: ['<|inner_prefix|>', '<|inner_suffix|>'],
  'Solar Open': ['<|think|>', '<|end|><|begin|>assistant<|content|>'],
  Pangu: ['[unused16]', '[unused17]'],
  Granite: ['Here is my thought process:', 'Here is my response:'],
};
/** Marks without which their counterpart means nothing. */
const PAIRED = ['gpt-oss without special tokens', 'Granite'];
const WITHOUT_END = Object.entries(MARKS).filter(([name]) => !PAIRED.includes(name));
const WITHOUT_BEGINNING = WITHOUT_END.filter(([name]) => !['gpt-oss', 'Solar Open'].includes(name));

describe.each(Object.entries(MARKS))('a thought in the notation of %s', (_, [begin, end]) => {
  it.each([
    ['on lines of its own', `${begin}\nmusing\n${WRITE}\n${end}\nDone.`],
    ['in the line of the answer', `${begin}musing\n${WRITE}\n${end}Done.`],
    ['on one line', `${begin}musing <W:owned.txt>x</W>${end}Done.`],
    ['with a call in JSON', `${begin}\nmusing\n${CALL}\n${end}\nDone.`],
    ['with code', `${begin}\nmusing\n${CODE}\n${end}\nDone.`],
    ['with an open fence', `${begin}\nmusing\n\`\`\`\n${WRITE}\n${end}\nDone.`],
  ])('changes nothing, and is no part of the answer: %s', async (_how, text) => {
    const { agent, read, model } = stage([text, 'Done.']);
    expect(await agent.ask('x')).toMatch(/^\s*Done\.$/);
    expect(() => read('owned.txt')).toThrow('ENOENT');
    expect(model.sends.length).toBe(1);
  });

  it('does not keep a call after it from running, nor is it kept from a file', async () => {
    const { agent, read } = stage([`${begin}\nmusing\n${end}\n<W:owned.txt>\n${begin}\nx\n${end}\n</W>`, 'Done.']);
    expect(await agent.ask('x')).toBe('Done.');
    expect(read('owned.txt')).toBe(`${begin}\nx\n${end}\n`);
  });
});

it.each(WITHOUT_END)('a thought in the notation of %s that does not end changes nothing', async (_, [begin]) => {
  const { agent, read } = stage([`${begin}\nmusing\n${WRITE}\n`, 'Done.']);
  await expect(agent.ask('x')).rejects.toThrow('the model only thought, and gave no answer.');
  expect(() => read('owned.txt')).toThrow('ENOENT');
});

it.each(WITHOUT_BEGINNING)(
  'a thought in the notation of %s without its beginning changes nothing',
  async (_, [, end]) => {
    const { agent, read } = stage([`musing\n${WRITE}\n${end}\nDone.`, 'Done.']);
    expect(await agent.ask('x')).toMatch(/^\s*Done\.$/);
    expect(() => read('owned.txt')).toThrow('ENOENT');
  },
);

it.each(WITHOUT_BEGINNING)(
  'the end of a thought of %s at the beginning of a response is no part of it',
  async (_, [, end]) => {
    const { agent, read } = stage([`${end}\n\n${WRITE}`, `${end}\nDone.`]);
    expect(await agent.ask('x')).toMatch(/^\s*Done\.$/);
    expect(read('owned.txt')).toBe('x\n');
  },
);

it.each(PAIRED.map((name) => [name, MARKS[name]!] as const))(
  'words that begin a thought of %s, and end none, are prose',
  async (_, [begin]) => {
    const { agent, read } = stage([`${begin}\n${WRITE}`, 'Done.']);
    expect(await agent.ask('x')).toBe('Done.');
    expect(read('owned.txt')).toBe('x\n');
  },
);

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
