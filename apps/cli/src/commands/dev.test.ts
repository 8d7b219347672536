import { describe, expect, it } from 'vitest';
import { defineResourcespace, tool } from '@bae/core';
import { createPainter as painterFor } from '../terminal/terminal-text.ts';
import { renderLoaded, renderDevOpening } from './dev.ts';

const plain = painterFor({ color: false });
const tools = { read: tool('It.', {}, () => ''), brew: tool('It.', {}, () => '') };
const tea = defineResourcespace({ name: 'tea', description: 'Tea.', tools });
const cups = defineResourcespace({ name: 'cups', description: 'Cups.', tools: {} });

describe('renderDevOpening', () => {
  const found = { name: 'bae-resourcespace-tea', folder: '/home/me/tea', entry: '', stamp: () => '' };

  it('shows which package is open, and that it is reloaded', () => {
    expect(renderDevOpening(found, { model: undefined, reason: 'no model: set a key' }, plain)).toBe(
      'bae dev bae-resourcespace-tea · reloads when /home/me/tea changes · no model',
    );
  });

  it('shows no control characters of a name', () => {
    const shown = renderDevOpening({ ...found, name: 'tea\u001B[31m' }, { model: undefined, reason: '' }, plain);
    expect(shown).toContain('tea␛[31m ·');
  });
});

describe('renderLoaded', () => {
  it('names the spaces and their tools', () => {
    expect(renderLoaded({ type: 'loaded', spaces: [tea, cups], hooks: [] }, 'tea', plain)).toBe(
      'loaded tea: tea (read, brew); cups',
    );
  });

  it('names the hooks', () => {
    expect(renderLoaded({ type: 'loaded', spaces: [cups], hooks: ['closed'] }, 'tea', plain)).toBe(
      'loaded tea: cups; hook closed',
    );
  });

  it('explains why nothing was loaded, and that nothing was lost', () => {
    expect(renderLoaded({ type: 'failed', reason: 'Error: no\u0007 licence' }, 'tea', plain)).toBe(
      'not loaded, what was there before stays: Error: no␇ licence',
    );
  });

  it('writes nothing where nothing changed', () => {
    expect(renderLoaded({ type: 'same' }, 'tea', plain)).toBeUndefined();
  });
});
