// @module-tag long

import { inject, resourcespace, tool, type Resourcespace } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NOTES_SAMPLES, notesParts, SECRET, spaceOf, type SpaceParts } from '../test/notes-space.ts';
import {
  checkResourcespace,
  resourcespaceContract,
  type CheckReport,
  type ResourcespaceContractOptions,
} from './resourcespace-contract.ts';

const notes = () => ({ space: spaceOf(notesParts()), secrets: [SECRET] });

/** The checks that a space does not pass. */
async function unpassed(options: ResourcespaceContractOptions): Promise<readonly CheckReport[]> {
  return (await checkResourcespace(options)).checks.filter(({ status }) => status !== 'passed');
}

function notesWith(change: (parts: SpaceParts) => void) {
  return () => {
    const parts = notesParts();
    change(parts);
    return { space: spaceOf(parts), secrets: [SECRET] };
  };
}

describe('the contract of a resourcespace', () => {
  it('is kept by a good space, whole', async () => {
    const { checks, score } = await checkResourcespace({ create: notes, samples: NOTES_SAMPLES });
    expect(checks.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(score).toEqual({ passed: 35, of: 35 });
  });

  it('is kept by a space that has the whole of a result for code', async () => {
    const create = notesWith(({ tools }) => {
      tools['wait']!.settings.output = z.string();
      tools['wait']!.run = () => ({ text: 'waited', whole: () => 'waited long' });
    });
    expect(await unpassed({ create, samples: NOTES_SAMPLES })).toEqual([]);
  });

  it('is kept by a generator that reports until its end, and returns data after its pieces', async () => {
    const create = notesWith(({ tools }) => {
      tools['wait']!.run = async function* pieces({ ms }, { progress }) {
        progress(1, 2);
        yield 'waiting\n';
        progress(2, 2);
        return { waited: ms };
      };
    });
    expect(await unpassed({ create, samples: NOTES_SAMPLES })).toEqual([]);
  });

  it('is kept by a stream of bytes', async () => {
    const create = notesWith(({ tools }) => {
      tools['wait']!.settings.output = z.instanceof(Uint8Array);
      tools['wait']!.run = () => new Blob(['the note']).stream();
    });
    expect(await unpassed({ create, samples: NOTES_SAMPLES })).toEqual([]);
  });

  it('finds most of what it needs by itself, and reports what else it needs', async () => {
    expect(await unpassed({ create: notes })).toMatchInlineSnapshot(`
      [
        {
          "name": "changes nothing by showing what it would change",
          "status": "not-applicable",
        },
        {
          "name": "changes nothing more by repeating an idempotent call",
          "status": "not-applicable",
        },
        {
          "add": "samples.edit, a call that works: { args: { … }, readAs: '…', shows: '…' }",
          "name": "shows by read what was edited",
          "status": "not-run",
        },
        {
          "add": "samples.calls.forget, arguments that work: { … }",
          "name": "returns what JSON can hold",
          "status": "not-run",
        },
        {
          "name": "reports progress and output that can be shown",
          "status": "not-applicable",
        },
        {
          "name": "asks what can be answered",
          "status": "not-applicable",
        },
        {
          "name": "can be refused an answer",
          "status": "not-applicable",
        },
      ]
    `);
  });

  it('does not require what a space does not have', async () => {
    const create = notesWith(({ tools }) => {
      for (const name of Object.keys(tools)) if (name !== 'read') delete tools[name];
    });
    const { checks, score } = await checkResourcespace({ create });
    const apart = checks.filter(({ status }) => status === 'not-applicable').map(({ name }) => name);
    expect(apart).toEqual([
      'changes nothing by showing what it would change',
      'changes nothing more by repeating an idempotent call',
      'shows by read what was written',
      'shows by read what was edited',
      'returns a sentence for a search without matches',
      'finds what there is',
      'returns data that its output schema describes',
      'reports progress and output that can be shown',
      'asks what can be answered',
      'can be refused an answer',
    ]);
    expect(score.of).toBe(35 - apart.length);
  });

  it('reports each check as soon as it is over, and stops when that throws', async () => {
    const heard: string[] = [];
    const hear = ({ name }: CheckReport) => {
      heard.push(name);
      if (heard.length === 2) throw new Error('enough');
    };
    await expect(checkResourcespace({ create: notes }, hear)).rejects.toThrow('enough');
    expect(heard).toEqual(['can be made, registered and entered', 'has a name, and a description of one line']);
  });

  it('reports once why a space cannot be made', async () => {
    let made = 0;
    const create = () => {
      made++;
      throw new Error('no licence');
    };
    const { checks, score } = await checkResourcespace({ create });
    const [first, ...others] = checks;
    expect(first).toMatchObject({ status: 'failed', complaints: ['no licence.'] });
    for (const other of others) expect(other.status).toBe('not-opened');
    expect({ made, score }).toEqual({ made: 1, score: { passed: 0, of: 35 } });
  });

  it('reports promises that are rejected without a handler', async () => {
    const create = notesWith((parts) => {
      parts.enter = () => {
        void Promise.resolve().then(() => Promise.reject(new Error('lost connection')));
        return '2 notes';
      };
    });
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const [check] = resourcespaceContract({ create });
    const error = await check?.run().catch((thrown: Error) => thrown.message);
    for (const listener of listeners) process.on('unhandledRejection', listener);
    expect(error).toBe(
      'a promise is rejected and nothing handles it: lost connection. Await it, or catch what it throws.',
    );
  });

  it('disposes of every space that it opens, and of what came with it', async () => {
    let open = 0;
    const create = () => {
      open++;
      return { ...notes(), dispose: () => void open-- };
    };
    await checkResourcespace({ create, samples: NOTES_SAMPLES });
    expect(open).toBe(0);
  });
});

describe('a tool made by hand', () => {
  it('shows the parameters that it checks', async () => {
    const create = () => {
      const { space } = notes();
      const { read } = space.tools;
      const spec = { ...read!.spec, params: [{ name: 'note', type: 'string', default: '', doc: 'Name of the note' }] };
      return { ...space, tools: { read: { ...read!, spec } } };
    };
    const failed = await unpassed({ create, samples: { existing: 'plan' } });
    expect(failed).toContainEqual({
      name: 'has parameters that JSON Schema can express',
      status: 'failed',
      complaints: ['notes.read: its signature shows note, its schema checks target. Make it with tool(…).'],
    });
  });
});

describe('a check', () => {
  it('can be left out for a reason', async () => {
    const skip = [{ test: 'prints nothing', reason: 'it is a log' }];
    const { checks, score } = await checkResourcespace({ create: notes, samples: NOTES_SAMPLES, skip });
    expect(checks.filter(({ status }) => status === 'skipped')).toEqual([
      { name: 'prints nothing', status: 'skipped', reason: 'it is a log' },
    ]);
    expect(score).toEqual({ passed: 34, of: 34 });
  });

  it.each([
    ['print nothing', 'x', "skip: there is no check 'print nothing'. Did you mean 'prints nothing'?"],
    ['prints nothing', ' ', "skip: 'prints nothing' needs a reason. Say why the space differs: { test, reason: '…' }."],
  ])('is not left out by the name %j and the reason %j', (test, reason, message) => {
    expect(() => resourcespaceContract({ create: notes, skip: [{ test, reason }] })).toThrow(message);
  });
});

const STORE = Symbol('store');

@resourcespace({ name: 'counters', description: 'Counts of things.' })
class CountersSpace implements Resourcespace {
  readonly #counts: Map<string, number>;

  constructor(@inject(STORE) counts: Map<string, number>) {
    this.#counts = counts;
  }

  enter(): string {
    return `${this.#counts.size} counters`;
  }

  @tool({ description: 'The counters, one a line.', params: {} })
  read(): string {
    return [...this.#counts].map(([name, count]) => `${name} ${count}`).join('\n') || 'No counters yet.';
  }

  @tool({ description: 'The new count.', params: { name: z.string().describe('What is counted') } })
  count({ name }: { name: string }): string {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return `${name} ${this.#counts.get(name)}`;
  }
}

describe('a class that injects something', () => {
  const samples = { calls: { count: { name: 'apples' } } };

  it('gets it from what comes with the space', async () => {
    const create = () => ({ space: CountersSpace, provide: [{ token: STORE, value: new Map() }] });
    const failed = (await unpassed({ create, samples })).filter(({ status }) => status !== 'not-applicable');
    expect(failed).toEqual([]);
  });

  it('must not get the same each time', async () => {
    const provide = [{ token: STORE, value: new Map() }];
    const failed = (await unpassed({ create: () => ({ space: CountersSpace, provide }), samples })).filter(
      ({ status }) => status === 'failed',
    );
    expect(failed.map(({ name }) => name)).toEqual(['shares nothing between two instances']);
  });
});
