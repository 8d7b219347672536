import { allowAll, asModelText, createAgent } from '@bae/core';
import { describeResourcespace } from '@bae/testing/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract, inNewFolder } from '../src/samples.js';

describeResourcespace(contract);

describe('the notes', () => {
  let subject;
  let say;

  beforeEach(() => {
    subject = inNewFolder();
    const { space, provide } = subject;
    const agent = createAgent({ spaces: [space], provide, approver: allowAll });
    say = async (text) => (await agent.run(asModelText(`@template()\n${text}`))).calls.at(-1)?.result.text;
  });

  afterEach(async () => subject.dispose?.());

  it('finds a text in capital letters or not', async () => {
    expect(await say('<Grep:SNOW>')).toBe('oslo: Snow since Monday.');
  });

  it('names the note that was probably meant', async () => {
    expect(await say('<R:olso>')).toBe("ResourceError: no note 'olso'.\nTry: <R:oslo>");
  });
});
