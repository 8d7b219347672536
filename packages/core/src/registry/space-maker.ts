import 'reflect-metadata/lite';
import { type DependencyContainer, injectable, Lifecycle } from 'tsyringe';
import { readSpaceRecord } from '../decorators/resourcespace.ts';
import { BaeError, formatErrorLine, ResourceError, InvalidSpaceError } from '../errors/bae-error.ts';
import type {
  Resourcespace,
  SpaceClass,
  SpaceDefinition,
  SpaceFactory,
  SpaceSession,
  SpaceSource,
} from '../protocol/resourcespace.ts';
import type { Confine } from '../protocol/approver.ts';
import type { Host } from '../protocol/host.ts';
import { describeSpace, renameSpace, createUndecoratedError } from './space-definition.ts';

/** Time limit for disposing of a space, in milliseconds. */
const LONGEST_CLOSE_MS = 10_000;

/** @throws BaeError of the space itself; ResourceError naming it when it fails otherwise, or takes too long */
async function closeSpace(space: SpaceDefinition, timers: Host['timers']): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = `its dispose() has not ended within ${LONGEST_CLOSE_MS / 1000} s`;
  const timer = timers.setTimeout(
    () => reject(new ResourceError(`${space.name} was not closed: ${late}`)),
    LONGEST_CLOSE_MS,
  );
  try {
    await Promise.race([space.dispose?.(), promise]);
  } catch (error) {
    if (BaeError.is(error)) throw error;
    throw new ResourceError(`${space.name} was not closed: ${formatErrorLine(error)}`, [], error);
  } finally {
    timers.clearTimeout(timer);
  }
}

/**
 * Creates the spaces of one session: each class and each factory once, in the session's container. Everything created
 * here is disposed of with the session; instances and records that were passed in still belong to the caller.
 */
export class SpaceMaker implements SpaceSession {
  readonly #container: DependencyContainer;
  readonly #confine: Confine | undefined;
  readonly #byFactory = new Map<SpaceFactory, SpaceDefinition>();
  readonly #made = new Set<SpaceDefinition>();

  /**
   * @param container the container of this session alone; constructors get its values by token
   * @param confine runs the work that a space begins when it opens. Default: as it is
   */
  constructor(container: DependencyContainer, confine?: Confine) {
    this.#container = container;
    this.#confine = confine;
  }

  /**
   * Returns the record of a space, in whatever form it is given.
   *
   * @throws InvalidSpaceError if a class is not decorated, if a constructor parameter is not provided, if a factory
   *   throws or does not return a space, or if a required member is missing
   */
  create(source: SpaceSource): SpaceDefinition {
    if (isFactory(source)) return this.#fromFactory(source);
    if (typeof source !== 'function') return describeSpace(source, this.#confine);
    const space = describeSpace(resolve(source, this.#container), this.#confine);
    this.#made.add(space);
    return space;
  }

  /**
   * Disposes of every space created so far, in the order in which they were created; of all of them, even if one fails
   * or takes too long.
   *
   * @throws ResourceError naming the spaces that were not closed
   */
  async dispose(timers: Host['timers']): Promise<void> {
    const all = [...this.#made];
    this.#made.clear();
    const settled = await Promise.allSettled(all.map((space) => closeSpace(space, timers)));
    const failed = settled.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    if (failed.length > 1) throw new ResourceError(failed.map((error) => (error as Error).message).join('; '));
    if (failed.length > 0) throw failed[0];
  }

  #fromFactory(factory: SpaceFactory): SpaceDefinition {
    const known = this.#byFactory.get(factory);
    if (known !== undefined) return known;
    const made = describeSpace(this.#callFactory(factory), this.#confine);
    const space = renameSpace(made, factory.name);
    this.#byFactory.set(factory, space);
    this.#made.add(made);
    return space;
  }

  #callFactory(factory: SpaceFactory): SpaceDefinition | Resourcespace {
    try {
      return factory.create(this);
    } catch (error) {
      if (error instanceof InvalidSpaceError) throw error;
      throw new InvalidSpaceError(
        `cannot create ${factory.name}: the factory threw ${formatErrorLine(error)}`,
        [],
        error,
      );
    }
  }
}

/** Returns true for a factory; an instance of a decorated class or a record may have its own `create` method. */
export function isFactory(source: SpaceSource): source is SpaceFactory {
  if (typeof source !== 'object' || source === null || 'tools' in source) return false;
  if (readSpaceRecord(source.constructor ?? Object) !== undefined) return false;
  return typeof (source as Partial<SpaceFactory>).create === 'function';
}

function resolve(source: SpaceClass, container: DependencyContainer): Resourcespace {
  if (readSpaceRecord(source) === undefined) throw createUndecoratedError(source.name);
  const token = source as unknown as new (...args: unknown[]) => Resourcespace;
  try {
    if (!container.isRegistered(token, true)) {
      // A package with its own copy of core has registered its constructor tokens with that copy.
      injectable()(token);
      container.register(token, { useClass: token }, { lifecycle: Lifecycle.ContainerScoped });
    }
    return container.resolve(token);
  } catch (error) {
    throw new InvalidSpaceError(`cannot create ${source.name}: ${reason(error)}`, [], error);
  }
}

/** Returns the cause from tsyringe's error, which has it only as text. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const parameter = [...text.matchAll(/Cannot inject the dependency (.+?) of "(.*?)" constructor/g)].at(-1);
  const where = parameter && `parameter ${parameter[1]!.replaceAll('"', "'")} of the constructor of ${parameter[2]}`;
  const token = /unregistered dependency token: "(.*)"/.exec(text)?.[1];
  if (token !== undefined) return `nobody provides ${token}, which ${where} asks for. ${remedy(token)}`;
  const untyped = /TypeInfo not known for "(.*)"/.exec(text)?.[1];
  if (untyped !== undefined) {
    return `the constructor of ${untyped} has parameters that name no token. Write @inject(TOKEN) before each.`;
  }
  if (where === undefined) return `its constructor threw ${formatErrorLine(error)}`;
  return `${where} could not be made: ${formatErrorLine(text.split('Reason:\n').at(-1)!.trim())}`;
}

function remedy(token: string): string {
  const symbol = /^Symbol\((.*)\)$/.exec(token)?.[1];
  return `Provide it: createAgent({ provide: [{ token: ${symbol ?? `'${token}'`}, value: … }] }).`;
}
