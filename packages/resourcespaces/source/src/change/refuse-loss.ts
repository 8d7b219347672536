import { EditError } from '@bae/workspace';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { ParseError } from '../errors.ts';
import type { Outline, SymbolOutline } from '../language/outline.ts';

/** A module after a change of one symbol. */
interface ChangedModule {
  readonly target: SymbolTarget;
  readonly after: Outline;
  /** True when the symbol itself is removed. */
  readonly isRemoved: boolean;
  /** True when the symbol itself may disappear, or be no longer exported. */
  readonly mayLose: boolean;
}

/** Refuses a change that breaks a module, or removes other names than that of its symbol. */
export function refuseLoss(changed: ChangedModule): void {
  const { target, after, isRemoved, mayLose } = changed;
  const { module, outline } = target.source;
  const name = formatSymbolPath(target.path);
  const tag = `<R:${formatAddress(target)}>`;
  if (after.problem !== undefined && outline.problem === undefined) {
    const { line, message } = after.problem;
    throw new ParseError(
      `${module.name} would not parse with the new ${name}: line ${line}: ${message}. Nothing was changed.`,
      [tag],
    );
  }
  const renameTag = `<E:${formatAddress(target)} rename=true>`;
  const lost = findLostNames(changed);
  if (lost.includes(name)) {
    throw new EditError(
      `the new text does not define ${name}. Keep the name, or add rename=true. Nothing was changed.`,
      [tag, renameTag],
    );
  }
  if (lost.length > 0) {
    const fact = `${lost.join(', ')} would be lost with it.`;
    if (!isRemoved) throw new EditError(`${fact} Send all that is declared there. Nothing was changed.`, [tag]);
    const remedy = 'Send what is to stay of the declaration, with rename=true. Nothing was changed.';
    throw new EditError(`${fact} ${remedy}`, [tag, `${renameTag}…</E>`]);
  }
  const [first, ...inside] = target.path;
  const now = after.symbols.find((symbol) => symbol.name === first?.name);
  if (mayLose || inside.length > 0 || first?.exported !== true || now?.exported !== false) return;
  throw new EditError(
    `${name} would no longer be exported. Begin with export, or add rename=true. Nothing was changed.`,
    [tag, renameTag],
  );
}

/** The names that would disappear, except the members of the symbol. */
function findLostNames({ target, after, mayLose }: ChangedModule): readonly string[] {
  const name = formatSymbolPath(target.path);
  const kept = new Set(listDeclaredNames(after.symbols));
  return listDeclaredNames(target.source.outline.symbols).filter(
    (one) => !kept.has(one) && !one.startsWith(`${name}.`) && !(mayLose && one === name),
  );
}

function listDeclaredNames(symbols: readonly SymbolOutline[], prefix = ''): readonly string[] {
  return symbols.flatMap((symbol) => {
    const name = prefix + symbol.name;
    return [name, ...listDeclaredNames(symbol.members, `${name}.`)];
  });
}
