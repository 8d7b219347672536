import { EditError } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import { ParseError } from '../errors.ts';
import type { Outline, SymbolOutline } from '../language/outline.ts';

/** A module as it would be after a change of one symbol. */
export interface ChangedModule {
  readonly target: SymbolTarget;
  readonly after: Outline;
  /** True when the symbol itself is to be gone. */
  readonly isRemoved: boolean;
  /** True when the symbol itself may be gone, or be no longer exported. */
  readonly mayLose: boolean;
}

/**
 * Refuses a change that breaks a module, or takes names away that it is not about.
 *
 * @throws ParseError when the module would not be well formed; EditError when a name would be lost
 */
export function refuseLoss(changed: ChangedModule): void {
  const { target, after } = changed;
  const { module, outline } = target.source;
  const name = symbolName(target.path);
  const tag = `<R:${addressOf(target)}>`;
  if (after.problem !== undefined && outline.problem === undefined) {
    const { line, message } = after.problem;
    throw new ParseError(
      `${module.name} would not parse with the new ${name}: line ${line}: ${message}. Nothing was changed.`,
      [tag],
    );
  }
  const lost = lostNames(changed);
  const own = lost.find((one) => one === name);
  if (own !== undefined) {
    throw new EditError(
      `the new text does not define ${name}. Keep the name, or add rename=true. Nothing was changed.`,
      [tag, `<E:${addressOf(target)} rename=true>`],
    );
  }
  if (lost.length > 0) throw othersLost(lost, changed);
  refuseUnexported(changed, name, tag);
}

/** What stands in one declaration with others goes alone by sending the others. */
function othersLost(lost: readonly string[], { target, isRemoved }: ChangedModule): EditError {
  const address = addressOf(target);
  const fact = `${lost.join(', ')} would be lost with it.`;
  return isRemoved
    ? new EditError(`${fact} Send what is to stay of the declaration, with rename=true. Nothing was changed.`, [
        `<R:${address}>`,
        `<E:${address} rename=true>…</E>`,
      ])
    : new EditError(`${fact} Send all that is declared there. Nothing was changed.`, [`<R:${address}>`]);
}

function refuseUnexported({ target, after, mayLose }: ChangedModule, name: string, tag: string): void {
  const [first] = target.path;
  const now = after.symbols.find((symbol) => symbol.name === first?.name);
  if (mayLose || target.path.length > 1 || first?.exported !== true || now?.exported !== false) return;
  throw new EditError(
    `${name} would no longer be exported. Begin with export, or add rename=true. Nothing was changed.`,
    [tag, `<E:${addressOf(target)} rename=true>`],
  );
}

/** Names that were there and would not be; what the symbol has inside is its own affair. */
function lostNames({ target, after, mayLose }: ChangedModule): readonly string[] {
  const name = symbolName(target.path);
  const kept = new Set(namesIn(after.symbols));
  return namesIn(target.source.outline.symbols).filter(
    (one) => !kept.has(one) && !one.startsWith(`${name}.`) && !(mayLose && one === name),
  );
}

function namesIn(symbols: readonly SymbolOutline[], prefix = ''): readonly string[] {
  return symbols.flatMap((symbol) => {
    const name = prefix + symbol.name;
    return [name, ...namesIn(symbol.members, `${name}.`)];
  });
}
