import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';

/** The text that an answer tells to send instead. */
function readAnswer(text: string): string {
  const { calls, problems } = parse(asModelText(text), { tools: new Set(['delete']) });
  expect(calls).toEqual([]);
  const [, ofLines, ofLine] =
    /Write (?:this instead:\n([^]*)|(.*) alone on its line\.)$/.exec(problems[0]?.message ?? '') ?? [];
  return ofLines ?? ofLine ?? '';
}

const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `x${text.replaceAll(/[\r\n]/g, '')}`);
const lines = fc.array(line, { minLength: 1, maxLength: 6 });

describe('a change in the notation of another agent', () => {
  it('is answered with an edit of the same file and texts', () => {
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (old, text, isFenced) => {
        const block = ['<<<<<<< SEARCH', ...old, '=======', ...text, '>>>>>>> REPLACE'].join('\n');
        const sent = isFenced ? `src/a.ts\n\`\`\`ts\n${block}\n\`\`\`` : `src/a.ts\n${block}`;
        const { calls, problems } = parse(asModelText(readAnswer(sent)));
        expect([calls, problems]).toMatchObject([[{ verb: 'edit', arg: 'src/a.ts', body: block }], []]);
      }),
    );
  });

  it('is answered with a call for each file of a patch', () => {
    fc.assert(
      fc.property(lines, lines, lines, (kept, old, text) => {
        const hunk = [...kept.map((one) => ` ${one}`), ...old.map((one) => `-${one}`), ...text.map((one) => `+${one}`)];
        const added = text.map((one) => `+${one}`);
        const patch = ['*** Update File: a.ts', '@@', ...hunk, '*** Add File: b.ts', ...added, '*** Delete File: c.ts'];
        const { calls } = parse(asModelText(readAnswer(`*** Begin Patch\n${patch.join('\n')}\n*** End Patch`)), {
          tools: new Set(['delete']),
        });
        const body = `<old>\n${[...kept, ...old].join('\n')}\n</old>\n<new>\n${[...kept, ...text].join('\n')}\n</new>`;
        expect(calls).toMatchObject([
          { verb: 'edit', arg: 'a.ts', body },
          { verb: 'write', arg: 'b.ts', body: text.join('\n').trimEnd() },
          { verb: 'delete', arg: 'c.ts' },
        ]);
      }),
    );
  });

  it('is answered briefly if it is long', () => {
    const block = `<<<<<<< SEARCH\n${'x\n'.repeat(2000)}=======\ny\n>>>>>>> REPLACE`;
    const patch = `*** Begin Patch\n*** Add File: b.ts\n${'+x\n'.repeat(20_000)}*** End Patch`;
    expect(readAnswer(patch)).toBe('<W:b.ts>…</W>');
    expect(readAnswer(`src/a.ts\n${block}`)).toBe('<E:src/a.ts>\n<old>…</old>\n<new>…</new>\n</E>');
  });
});

it('does not look up names for a text without calls', () => {
  const lookedUp: string[] = [];
  const names = new (class extends Set<string> {
    override has(name: string): boolean {
      lookedUp.push(name);
      return super.has(name);
    }
  })();
  for (const text of ['Done.', 'All of it works.\n\nThe tests pass.', '- one\n- two'])
    parse(asModelText(text), { tools: names, spaces: names });
  expect(lookedUp).toEqual([]);
});
