import { expect, it } from 'vitest';
import { renderCommandLineHelp } from './render-help.ts';

it('does not list an option that the command refuses', () => {
  const lists = (command: string): boolean => renderCommandLineHelp(command).includes('--yes');
  expect([lists('ask'), lists('serve'), lists('worker')]).toEqual([true, false, false]);
});
