import { isDeepStrictEqual } from 'node:util';
import type { SpaceManifest, ToolManifest } from './plugin-manifest.ts';

/**
 * What the code has that the manifest does not say, or the other way round, as sentences without a full stop.
 *
 * Spaces below others may come and go; those that are in both have to have the same tools.
 */
export function compareManifests(said: readonly SpaceManifest[], found: readonly SpaceManifest[]): readonly string[] {
  return [
    ...onlyIn(said, found).map(({ name }) => `space ${name} is in the manifest, not in the code`),
    ...onlyIn(found, said).map(({ name }) => `space ${name} is in the code, not in the manifest`),
    ...inBoth(said, found).flatMap(([left, right]) => compareSpaces(left, right, left.name)),
  ];
}

function compareSpaces(said: SpaceManifest, found: SpaceManifest, path: string): readonly string[] {
  const about = said.description === found.description ? [] : [`the description of ${path} is another one in the code`];
  return [
    ...about,
    ...onlyIn(said.tools, found.tools).map(({ name }) => `tool ${name} of ${path} is in the manifest, not in the code`),
    ...onlyIn(found.tools, said.tools).map(({ name }) => `tool ${name} of ${path} is in the code, not in the manifest`),
    ...inBoth(said.tools, found.tools).flatMap(([left, right]) => compareTools(left, right, path)),
    ...inBoth(said.children, found.children).flatMap(([left, right]) =>
      compareSpaces(left, right, `${path}.${left.name}`),
    ),
  ];
}

function compareTools(said: ToolManifest, found: ToolManifest, path: string): readonly string[] {
  const tool = `tool ${said.name} of ${path}`;
  if (said.effect !== found.effect)
    return [`${tool} has the effect ${said.effect} in the manifest, ${found.effect} in the code`];
  const keys = [...new Set([...Object.keys(said), ...Object.keys(found)])] as (keyof ToolManifest)[];
  const key = keys.find((one) => !isDeepStrictEqual(said[one], found[one]));
  return key === undefined ? [] : [`${tool} has other ${key} in the code`];
}

function onlyIn<T extends { readonly name: string }>(these: readonly T[], others: readonly T[]): readonly T[] {
  return these.filter(({ name }) => others.every((other) => other.name !== name));
}

function inBoth<T extends { readonly name: string }>(
  these: readonly T[],
  others: readonly T[],
): readonly (readonly [T, T])[] {
  return these.flatMap((one) => {
    const other = others.find(({ name }) => name === one.name);
    return other === undefined ? [] : [[one, other] as const];
  });
}
