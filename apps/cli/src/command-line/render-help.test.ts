import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from './command-list.ts';
import { renderCommandLineHelp } from './render-help.ts';

it('does not list an option that the command refuses', () => {
  const lists = (command: string): boolean => renderCommandLineHelp(command).includes('--yes');
  expect([lists('ask'), lists('serve'), lists('worker')]).toEqual([true, false, false]);
});

it('has no command that the README leaves out', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const commands = Object.keys(COMMANDS).filter((name) => name !== 'shell');
  expect(commands.filter((name) => !new RegExp(`^\\|.*\`bae ${name}\\b.*\\|`, 'm').test(readme))).toEqual([]);
});
