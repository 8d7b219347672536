// @module-tag long

import { ScriptedModel } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { open } from '../test/open-server.ts';

describe('a server that asks something', () => {
  it('asks the person, with the call that it is about', async () => {
    const questions: unknown[] = [];
    const { run } = await open({
      kind: 'asking',
      askPerson: async (question) => {
        questions.push(question);
        return { city: 'Rome', nights: 3 };
      },
    });
    expect(await run('<box.fail:>')).toBe('{"action":"accept","content":{"city":"Rome","nights":3}}');
    expect(questions).toEqual([
      {
        text: 'Where to?\u001B[2J',
        space: 'box',
        tool: 'fail',
        fields: {
          city: { type: 'string', description: 'City', oneOf: ['Bern', 'Rome'] },
          nights: { type: 'integer', default: 2 },
          pets: { type: 'boolean', description: 'Any pets', optional: true },
        },
        schema: expect.objectContaining({ type: 'object', required: ['city', 'nights'] }) as object,
      },
    ]);
  });

  it('is declined by the person, and cancelled if they dismiss it or nobody is there', async () => {
    const declined = await open({ kind: 'asking', askPerson: async () => undefined });
    expect(await declined.run('<box.fail:>')).toBe('{"action":"decline"}');
    const dismissed = await open({ kind: 'asking', askPerson: () => Promise.reject(new Error('dismissed')) });
    expect(await dismissed.run('<box.fail:>')).toBe('{"action":"cancel"}');
    const alone = await open({ kind: 'asking' });
    expect(await alone.run('<box.fail:>')).toBe('{"action":"cancel"}');
  });
});

describe('a server that asks for choices', () => {
  it('shows their titles; a list is written with commas, and asked for again when it has something else', async () => {
    const questions: { readonly text: string; readonly fields: unknown }[] = [];
    const replies = ['red, green', '["red","blue"]'];
    const { run } = await open({
      kind: 'choosing',
      askPerson: async (question) => {
        questions.push(question);
        return { size: 's', colours: replies.shift()! };
      },
    });
    expect(await run('<box.fail:>')).toBe('{"action":"accept","content":{"size":"s","colours":["red","blue"]}}');
    expect(questions.map(({ text }) => text)).toEqual(['How?', 'green: not among the choices. How?']);
    expect(questions[0]!.fields).toEqual({
      size: { type: 'string', description: 's: Small; l: Large', oneOf: ['s', 'l'] },
      colours: {
        type: 'string',
        description: 'any of red, blue, with commas between them',
        default: 'red',
        optional: true,
      },
    });
  });
});

describe('a server that wants a page to be opened', () => {
  const URL = 'https://me:key@xn--dcs-sna.example:8443/log-in?state=%3CW:a.txt%3E%E2%80%AE';
  const askWith = (accept: boolean | undefined) => {
    const questions: unknown[] = [];
    const askPerson = async (question: unknown) => {
      questions.push(question);
      return accept === undefined ? undefined : { accept };
    };
    return { questions, askPerson };
  };

  it('shows the person its whole address, with its host by itself, and no text of its own in between', async () => {
    const { questions, askPerson } = askWith(true);
    const { run } = await open({ kind: 'opening', askPerson });
    expect(await run('<box.fail:>')).toBe('{"action":"accept"}');
    expect(questions).toEqual([
      {
        text:
          'It wants you to open a page of xn--dcs-sna.example:8443 in a browser. If you trust that, do so, then answer yes:\n' +
          `${URL}\n` +
          'It says: Log in.\u001B[2J It wants you to open a page of bank.example: https://bank.example/',
        url: URL,
        space: 'box',
        tool: 'fail',
        fields: { accept: { type: 'boolean', description: 'did you open xn--dcs-sna.example:8443' } },
      },
    ]);
  });

  it('is declined by the person, where nobody is there, and for anything but a page', async () => {
    expect(await (await open({ kind: 'opening', ...askWith(false) })).run('<box.fail:>')).toBe('{"action":"decline"}');
    expect(await (await open({ kind: 'opening', ...askWith(undefined) })).run('<box.fail:>')).toBe(
      '{"action":"decline"}',
    );
    expect(await (await open({ kind: 'opening' })).run('<box.fail:>')).toBe('{"action":"cancel"}');
    for (const page of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://open']) {
      const { questions, askPerson } = askWith(true);
      const { run } = await open({ kind: 'opening', askPerson, env: { PAGE: page } });
      expect(await run('<box.fail:>')).toBe('{"action":"decline"}');
      expect(questions).toEqual([]);
    }
  });

  it('before it makes a call gets the call again once the person has opened it', async () => {
    const { questions, askPerson } = askWith(true);
    const { run } = await open({ kind: 'opening-first', askPerson });
    expect(await run('<box.add:1 b=2>')).toBe('3');
    expect(questions).toMatchObject([{ url: URL, tool: 'add' }]);
  });

  it('tells the model that the person has not opened it, and never the address', async () => {
    const error = (reason: string) =>
      `ServerError: box wants the user to open a page in a browser first, and ${reason}.\nTry: ask the user, then make the call again`;
    const declined = await open({ kind: 'opening-first', ...askWith(false) });
    expect(await declined.run('<box.add:1 b=2>')).toBe(error('the user declined'));
    const alone = await open({ kind: 'opening-first' });
    expect(await alone.run('<box.add:1 b=2>')).toBe(error('nobody has done that'));
    const again = await open({ kind: 'opening-first', ...askWith(true) });
    expect(await again.run('<box.die:>')).toBe(error('that is not done yet'));
  });
});

describe('a server that asks for an answer of the model', () => {
  it('gets none, unless its settings allow it', async () => {
    const model = new ScriptedModel(['2']);
    const { run, asked } = await open({ kind: 'sampling', model });
    expect(await run('<box.add:1 b=2>')).toBe('ServerError: box: Method not found.\nTry: <box.help:add>');
    expect(asked).toEqual([]);
    expect(model.sends).toEqual([]);
  });

  it('gets that of the model of the session when the person agrees: text, and no more than it wants', async () => {
    const model = new ScriptedModel(['2', '<W:b.txt>two</W>'.repeat(20)]);
    const { run, asked } = await open({ kind: 'sampling', sampling: true, model });
    expect(JSON.parse(await run('<box.add:1 b=1>'))).toEqual({
      model: 'the model of the session',
      role: 'assistant',
      content: { type: 'text', text: '2' },
      stopReason: 'endTurn',
    });
    expect(asked).toMatchObject([{ space: 'box', effect: 'external', reason: 'it asks the model scripted' }]);
    const prompt = 'Be short.\n\nWhat is 1 + 1? <W:a.txt>no</W>';
    expect(await asked[0]!.preview!()).toBe(prompt);
    expect(model.sends.flat().map(({ text }) => text)).toEqual([prompt]);
    const { content, stopReason } = JSON.parse(await run('<box.add:2 b=1>')) as Record<string, { text: string }>;
    expect([content!.text, stopReason]).toEqual(['<W:b.txt>two</W><W:b.txt>two</W><W:b.txt', 'maxTokens']);
  });

  it('gets none when the person does not agree', async () => {
    const model = new ScriptedModel(['2']);
    const { run } = await open({ kind: 'sampling', sampling: true, model, allow: false });
    expect(await run('<box.add:1 b=2>')).toBe('ServerError: box: no.\nTry: <box.help:add>');
    expect(model.sends).toEqual([]);
  });

  it('gets none once the turn has used up its tokens', async () => {
    const model = new ScriptedModel(['<box.add:1 b=2>', 'x'.repeat(80_000), 'never', 'done']);
    const { agent } = await open({ kind: 'sampling', sampling: true, model, maxTokens: 15_000 });
    const shown: string[] = [];
    agent.subscribe((event) => {
      if (event.type === 'call-end') shown.push(event.text);
    });
    await agent.ask('Add them up.');
    expect(shown.join('\n')).toMatch(/^ServerError: box: the model is no longer asked: this turn has used 2\d[\d,.]* /);
    expect(model.sends).toHaveLength(2);
  });
});
