import 'reflect-metadata';
import { injectable, Lifecycle, type DependencyContainer } from 'tsyringe';
import { readSpaceRecord } from '../decorators/resourcespace.ts';
import { errorLine } from '../errors/bae-error.ts';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { Resourcespace, SpaceClass, SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import { describeSpace, undecorated } from './space-definition.ts';

/**
 * The record of a space, whatever it is given as. A class is instantiated by the container, once for
 * as long as the container lives; its constructor gets what the container knows by token.
 *
 * @throws InvalidSpaceError when the class is not decorated, when nobody provides what its constructor
 *   asks for, or when a required member is missing
 */
export function instantiate(source: SpaceSource, container: DependencyContainer): SpaceDefinition {
  return describeSpace(typeof source === 'function' ? resolve(source, container) : source);
}

function resolve(source: SpaceClass, container: DependencyContainer): Resourcespace {
  if (readSpaceRecord(source) === undefined) throw undecorated(source.name);
  const token = source as unknown as new (...args: unknown[]) => Resourcespace;
  try {
    if (!container.isRegistered(token, true)) {
      // A package with a copy of core of its own has told that copy which tokens its constructors ask for.
      injectable()(token);
      container.register(token, { useClass: token }, { lifecycle: Lifecycle.ContainerScoped });
    }
    return container.resolve(token);
  } catch (error) {
    throw new InvalidSpaceError(`cannot create ${source.name}: ${reason(error)}`, [], error);
  }
}

/** What tsyringe found out, which it says in words only. */
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
  if (where === undefined) return `its constructor threw ${errorLine(error)}`;
  return `${where} could not be made: ${errorLine(text.split('Reason:\n').at(-1)!.trim())}`;
}

function remedy(token: string): string {
  const symbol = /^Symbol\((.*)\)$/.exec(token)?.[1];
  return `Provide it: createAgent({ provide: [{ token: ${symbol ?? `'${token}'`}, value: … }] }).`;
}
