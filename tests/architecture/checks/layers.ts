import { importsOf, targetOf } from '../source/imports.ts';
import { modulesOf, type Module } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

const ROOT = 'packages/core/src/';

/** The folders of core, lowest layer first. A folder imports only from lower layers, never from its own. */
export const LAYERS: readonly (readonly string[])[] = [
  ['errors'],
  ['protocol'],
  ['nearest-name', 'text-size', 'tool-spec', 'decorators'],
  ['registry', 'tag-parser', 'pruner', 'orientation', 'feedback', 'results'],
  ['tool-router'],
  ['agent', 'approval'],
  ['container'],
];

/** Inside a layer nothing is shared, but for these: who may import what. */
const ALLOWED_SIDEWAYS = new Set(['decorators > tool-spec']);

/** Core's folders form layers, so that no import can lead back up. */
export function checkLayers(repository: Repository): readonly Violation[] {
  return modulesOf(repository)
    .filter((module) => module.path.startsWith(ROOT) && folderOf(module.path) !== '')
    .flatMap(checkModule);
}

function checkModule(module: Module): readonly Violation[] {
  const folder = folderOf(module.path);
  const { path } = module;
  if (layerOf(folder) < 0) return [{ path, message: `is in ${folder}/, which is in no layer of core` }];
  return importsOf(module).flatMap(({ specifier, line }) => {
    const target = targetOf(module, specifier);
    if (target === undefined || !target.startsWith(ROOT)) return [];
    const message = reasonAgainst(folder, folderOf(target));
    return message === undefined ? [] : [{ path, line, message: `imports ${specifier}: ${message}` }];
  });
}

function reasonAgainst(from: string, to: string): string | undefined {
  if (from === to || ALLOWED_SIDEWAYS.has(`${from} > ${to}`)) return undefined;
  if (to === '') return 'the folders of core do not import its entries';
  if (layerOf(to) < layerOf(from)) return undefined;
  return layerOf(to) === layerOf(from) ? `${to}/ is of the same layer as ${from}/` : `${to}/ is above ${from}/`;
}

/** First folder below `src/`; empty for a file right in it. */
function folderOf(path: string): string {
  const parts = path.slice(ROOT.length).split('/');
  return parts.length > 1 ? parts[0]! : '';
}

function layerOf(folder: string): number {
  return LAYERS.findIndex((layer) => layer.includes(folder));
}
