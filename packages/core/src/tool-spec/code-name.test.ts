import { expect, it } from 'vitest';
import { codeName } from './code-name.ts';

it.each([
  ['read', 'read'],
  ['my-tool', 'my_tool'],
  ['my-notes', 'my_notes'],
  ['été', 'été'],
  ['größe', 'größe'],
  ['a.b c', 'a_b_c'],
  ['let', 'let_'],
  ['delete', 'delete_'],
  ['new', 'new_'],
  ['undefined', 'undefined_'],
  ['$x', '$x'],
  ['console', 'console_'],
  ['JSON', 'JSON_'],
])('calls %s %s', (name, called) => {
  expect(codeName(name)).toBe(called);
});
