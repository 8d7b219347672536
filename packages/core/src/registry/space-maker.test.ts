import 'reflect-metadata/lite';
import { container as rootContainer, inject, type DependencyContainer } from 'tsyringe';
import { describe, expect, it } from 'vitest';
import { defineResourcespace, resourcespace } from '../decorators/resourcespace.ts';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { SpaceClass, SpaceSource } from '../protocol/resourcespace.ts';
import { SpaceMaker } from './space-maker.ts';

const STORE = Symbol('shop.store');

@resourcespace({ name: 'tickets', description: 'Support tickets.' })
class Tickets {
  constructor(@inject(STORE) private readonly store: { readonly size: number }) {}

  enter() {
    return `${this.store.size} tickets`;
  }
}

@resourcespace({ name: 'overview', description: 'Overview.' })
class Overview {
  constructor(@inject(Tickets) private readonly tickets: Tickets) {}

  enter() {
    return this.tickets.enter();
  }
}

function create(source: SpaceSource, container: DependencyContainer) {
  return new SpaceMaker(container).create(source);
}

function messageOf(source: SpaceClass, container = rootContainer.createChildContainer()): string {
  try {
    create(source, container);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSpaceError);
    return (error as Error).message;
  }
  return '';
}

function provided(): ReturnType<typeof rootContainer.createChildContainer> {
  const container = rootContainer.createChildContainer();
  container.register(STORE, { useValue: { size: 4 } });
  return container;
}

describe('instantiate', () => {
  it('makes an instance of a class with what the container provides', () => {
    expect(create(Tickets, provided()).enter()).toBe('4 tickets');
    expect(create(Overview, provided()).enter()).toBe('4 tickets');
  });

  it('makes an instance of a class that another copy of core has decorated', () => {
    class Foreign {
      constructor(private readonly store: { readonly size: number }) {}

      enter() {
        return `${this.store.size} elsewhere`;
      }
    }
    // What is left of the decorators of another copy: what they wrote onto the class.
    const record = { name: 'foreign', description: 'From elsewhere.' };
    Reflect.defineMetadata(Symbol.for('bae.resourcespace'), record, Foreign);
    inject(STORE)(Foreign, undefined, 0);
    expect(create(Foreign, provided()).enter()).toBe('4 elsewhere');
  });

  it('makes one instance a container, and another one in the next', () => {
    const container = provided();
    const first = create(Tickets, container);
    expect(create(Tickets, container)).toBe(first);
    expect(create(Tickets, provided())).not.toBe(first);
  });

  it('keeps apart the instances of two containers with the same parent', () => {
    const parent = provided();
    const [left, right] = [parent.createChildContainer(), parent.createChildContainer()];
    expect(create(Tickets, left)).not.toBe(create(Tickets, right));
  });

  it('leaves instances and records to the caller', () => {
    const space = defineResourcespace({ name: 'notes', description: 'Notes.', tools: {} });
    expect(create(space, rootContainer)).toBe(space);
    expect(create(new Tickets({ size: 1 }), rootContainer).enter()).toBe('1 tickets');
  });

  it('names class, parameter and token when nobody provides it', () => {
    expect(messageOf(Tickets)).toBe(
      "cannot create Tickets: nobody provides Symbol(shop.store), which parameter 'store' at position #0 of the " +
        'constructor of Tickets asks for. Provide it: createAgent({ provide: [{ token: shop.store, value: … }] }).',
    );
    expect(messageOf(Overview)).toContain(
      "cannot create Overview: nobody provides Symbol(shop.store), which parameter 'store' at position #0 of the constructor of Tickets",
    );
  });

  it('quotes a token that is a string', () => {
    @resourcespace({ name: 'mail', description: 'Mail.' })
    class Mail {
      constructor(@inject('mail.host') private readonly host: string) {}
      enter() {
        return this.host;
      }
    }
    expect(messageOf(Mail)).toContain("{ token: 'mail.host', value: … }");
  });

  it('says that parameters need tokens', () => {
    @resourcespace({ name: 'mail', description: 'Mail.' })
    class Mail {
      constructor(private readonly host: string) {}
      enter() {
        return this.host;
      }
    }
    expect(messageOf(Mail)).toBe(
      'cannot create Mail: the constructor of Mail has parameters that name no token. Write @inject(TOKEN) before each.',
    );
  });

  it('passes on what a constructor throws, of the space or of what it asks for', () => {
    @resourcespace({ name: 'mail', description: 'Mail.' })
    class Mail {
      constructor() {
        throw new TypeError('no such host');
      }
      enter() {
        return '';
      }
    }
    @resourcespace({ name: 'inbox', description: 'Inbox.' })
    class Inbox {
      constructor(@inject(Mail) private readonly mail: Mail) {}
      enter() {
        return this.mail.enter();
      }
    }
    expect(messageOf(Mail)).toBe('cannot create Mail: its constructor threw TypeError: no such host');
    expect(messageOf(Inbox)).toBe(
      "cannot create Inbox: parameter 'mail' at position #0 of the constructor of Inbox could not be made: Error: no such host",
    );
  });

  it('refuses a class that is not decorated, without making an instance', () => {
    class Plain {
      constructor() {
        throw new Error('was made');
      }
      enter() {
        return '';
      }
    }
    expect(messageOf(Plain)).toContain('class Plain is not a resourcespace');
  });
});
