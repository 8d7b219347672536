import { describe, expect, it } from 'vitest';
import { ResourceError } from '../errors/bae-error.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { renderState, renderStatus } from './render-home.ts';

const space = (members: object) =>
  ({
    name: 'tasks',
    description: 'Tasks.',
    tools: {},
    enter: () => '',
    children: () => ({}),
    ...members,
  }) as SpaceDefinition;

const state = (enter: () => unknown) => renderState(space({ enter }));
const status = (counts: () => unknown) => renderStatus(space({ status: counts }));

describe('renderState', () => {
  it('is what enter() returns, without outer blank lines', async () => {
    expect(await state(() => '\n4 tasks\n  2 of them late\n\n')).toBe('4 tasks\n  2 of them late');
    expect(await state(async () => 'later')).toBe('later');
    expect(await state(() => undefined)).toBe('');
  });

  it('has no colour codes and control characters', async () => {
    expect(await state(() => '\u001b[31mred\u001b[0m\u0007!')).toBe('red !');
  });

  it('is a note when enter() fails or returns something else', async () => {
    expect(
      await state(() => {
        throw new Error('db locked\nat x');
      }),
    ).toBe('state unavailable: Error: db locked at x');
    expect(
      await state(async () => {
        throw new TypeError('x');
      }),
    ).toBe('state unavailable: TypeError: x');
    expect(
      await state(() => {
        throw new ResourceError('no key.', ['export KEY=…', '@tasks()']);
      }),
    ).toBe('state unavailable: ResourceError: no key.\nTry: export KEY=…');
    expect(
      await state(() => {
        throw new ResourceError('log in: bae login.', ['bae login']);
      }),
    ).toBe('state unavailable: ResourceError: log in: bae login.');
    expect(await state(() => 7)).toBe('state unavailable: TypeError: enter() returned number, expected string');
  });
});

describe('renderStatus', () => {
  it('lists the counts in their order, zeros included', async () => {
    expect(await status(() => ({ in_progress: 1, blocked: 0 }))).toBe('in_progress: 1  blocked: 0');
    expect(await renderStatus(space({}))).toBe('');
    expect(await status(() => ({}))).toBe('');
  });

  it('shows where to start while something is open', async () => {
    expect(await status(async () => ({ open: 3, blocked: 0 }))).toBe('Start here. | open: 3  blocked: 0');
    expect(await status(() => ({ open: 0, blocked: 2 }))).toBe('open: 0  blocked: 2');
  });

  it('leaves out what is no number', async () => {
    expect(await status(() => ({ open: '3', late: 1, 'odd\nlabel': 2 }))).toBe('late: 1  odd label: 2');
  });

  it('is a note when status() fails or returns something else', async () => {
    expect(
      await status(() => {
        throw new Error('db locked');
      }),
    ).toBe('status unavailable: Error: db locked');
    expect(await status(() => null)).toBe(
      'status unavailable: TypeError: status() returned null, expected counts by label',
    );
    expect(await status(() => 'open')).toContain('status() returned string');
  });
});
