import 'reflect-metadata/lite';
import { container as rootContainer, type DependencyContainer } from 'tsyringe';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { createDefaultHost } from './default-host.ts';
import type { Host } from '../protocol/host.ts';
import { SpaceMaker } from '../registry/space-maker.ts';
import { Registry } from '../registry/registry.ts';
import { joinConfines, type AgentOptions } from './agent-options.ts';

/** Token for the clock, timers and randomness of the agent, for constructors: `@inject(HOST) host: Host`. */
export const HOST = Symbol.for('bae.host');

/** Token for the agent's model, for spaces that call a model themselves; undefined if there is none. */
export const MODEL = Symbol.for('bae.model');

/**
 * Creates the spaces of one session without a session: for a manifest, an inspector or a test. `dispose()` disposes of
 * the spaces created from classes and factories, but not of instances and records that were passed in.
 *
 * @param container the container of this session alone. Default: a new one with a host, no model, and the values of
 *   `options.provide`
 * @throws InvalidSpaceError for a space that cannot be created or registered
 */
export function openSpaces(
  {
    home = makeEmptyHome(),
    spaces = [],
    only,
    provide = [],
  }: Pick<AgentOptions, 'home' | 'spaces' | 'only' | 'provide'>,
  container: DependencyContainer = createContainer({ provide }),
): { readonly tree: Registry; readonly dispose: () => Promise<void> } {
  const confine = joinConfines(provide);
  const maker = new SpaceMaker(container, confine);
  const create: SpaceMaker['create'] = (source) => maker.create(source);
  const tree = confine([], () => new Registry(create(home), create));
  confine([], () => spaces.forEach((source) => tree.register(source, only)));
  const { timers } = container.resolve<Host>(HOST);
  return { tree, dispose: () => maker.dispose(timers) };
}

export function createContainer({
  host = createDefaultHost(),
  model,
  provide = [],
}: Pick<AgentOptions, 'host' | 'model' | 'provide'>): DependencyContainer {
  const container = rootContainer.createChildContainer();
  const all = [{ token: HOST, value: host }, { token: MODEL, value: model }, ...provide];
  for (const { token, value } of all) container.register(token, { useValue: value });
  return container;
}

function makeEmptyHome() {
  return defineResourcespace({ name: 'start', description: 'Where every session begins.', tools: {} });
}
