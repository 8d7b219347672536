import { createAgent, defineResourcespace, tool } from '@bae/core';
import { expect, it } from 'vitest';
import { renderMenu } from './help-text.ts';

it('the menu has the first line of what a tool does', () => {
  const undo = tool('Changes taken back.\nOne that was changed since is left.', {}, () => '');
  const agent = createAgent({ home: defineResourcespace({ name: 'files', description: 'Files.', tools: { undo } }) });
  const out = { columns: () => 80, color: false };
  expect(renderMenu('/un', { agent, commands: () => ({}) }, out)).toBe('/undo  Changes taken back.');
});
