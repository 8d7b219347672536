import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';

describe('Conversation', () => {
  it('begins every message to the model with the location', () => {
    const conversation = new Conversation('system');
    conversation.tell('[Location: home]', 'hello');
    conversation.heard('hi');
    expect(conversation.messages).toEqual([
      { role: 'system', text: 'system' },
      { role: 'user', text: '[Location: home]\nhello' },
      { role: 'assistant', text: 'hi' },
    ]);
  });

  it('puts what was held back before the next text, once', () => {
    const conversation = new Conversation('system');
    conversation.hold('[Tool output x]');
    conversation.tell('[Location: home]', 'go on');
    conversation.tell('[Location: home]', 'and on');
    expect(conversation.messages.map(({ text }) => text)).toEqual([
      'system',
      '[Location: home]\n[Tool output x]\n\ngo on',
      '[Location: home]\nand on',
    ]);
  });
});
