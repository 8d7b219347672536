import { CodeCatalog } from '../modules/code-catalog.ts';
import { codeFileName, dotted } from '../modules/name-modules.ts';
import { resolveSpecifier } from './resolve-specifier.ts';
import { splitAddress } from './split-address.ts';

/** A path with what may stand behind the file: `src/a.ts#Name`, `src/a.ts:Name`. */
const WITH_SYMBOL = /^(.+\.(?:[cm]?[jt]s|[jt]sx))(?:#|::?|\.)(.+)$/s;

/** The address of what a path means; undefined when nothing is there. */
export function translatePath(given: string, catalog: CodeCatalog): string | undefined {
  const path = given
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  const module = moduleAt(path, catalog);
  if (module !== undefined) return module;
  const [, file = '', symbol = ''] = WITH_SYMBOL.exec(path) ?? [];
  const owner = file === '' ? undefined : moduleAt(file, catalog);
  if (owner !== undefined) return `${owner}.${symbol}`;
  const folder = folderAt(path, catalog);
  if (folder !== undefined) return folder;
  const dotted = path.replaceAll('/', '.');
  if (/(?:^|\.)(?:\.|$)/.test(dotted)) return undefined;
  const whole = catalog.module(dotted) ?? catalog.moduleMeant(dotted);
  if (whole !== undefined) return whole.name;
  const [split] = splitAddress(dotted, catalog);
  return split && [split.module.name, split.rest].filter((part) => part !== '').join('.');
}

/** The name that a module would have whose path is given; undefined for a path out of the project. */
export function nameOfNew(given: string, { packages }: CodeCatalog): string | undefined {
  const path = given.replaceAll('\\', '/').replace(/^\.\//, '');
  if (/^\/|(?:^|\/)\.\.?(?:\/|$)|\/$/.test(path)) return undefined;
  const file = codeFileName(path) === undefined ? `${path}.ts` : path;
  return new CodeCatalog([file], packages).modules[0]?.name;
}

/** The folder or package that a path of a folder means. */
function folderAt(path: string, catalog: CodeCatalog): string | undefined {
  const inside = catalog.packages.find(({ folder }) => folder !== '' && `${path}/`.startsWith(`${folder}/`));
  const below = inside === undefined ? path : path.slice(inside.folder.length + 1);
  const parts = below.split('/').filter((part) => part !== '');
  const name = dotted([inside?.label ?? '', ...(parts[0] === 'src' ? parts.slice(1) : parts)]);
  return name === '' ? undefined : catalog.folder(name)?.name;
}

function moduleAt(path: string, catalog: CodeCatalog): string | undefined {
  const [any] = catalog.modules;
  return any && resolveSpecifier(`./${path}`, { ...any, path: '' }, catalog)?.name;
}
