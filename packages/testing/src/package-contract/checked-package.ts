import type { Hook, Provision, SpaceSource } from '@bae/core';
import { z } from 'zod';

/** What a package exports besides single spaces; other exports do not matter. */
export interface PackageExports {
  readonly options?: unknown;
  readonly spaces?: unknown;
  readonly hooks?: unknown;
}

export interface PackageContractOptions {
  /** Creates the values that the application provides, such as a workspace. Default: none. */
  readonly provide?: () => readonly Provision[];
  /** Calls that the hooks are about, in addition to calls of every kind: `{ space: 'shop', tool: 'pay', arg: '12' }`. */
  readonly calls?: readonly Parameters<NonNullable<Hook['beforeCall']>>[0][];
}

/** A check of what users of a package configure and trust. */
export interface PackageCheckSpec {
  /** Behaviour of the package, as the end of a sentence. */
  readonly name: string;
  /** Lists what the check is about; it does not apply if there is nothing. */
  readonly has: (checked: CheckedPackage) => readonly unknown[];
  /** Yields complaints. */
  readonly look: (checked: CheckedPackage) => AsyncIterable<string>;
}

/** An option with its schema: as zod, and as JSON Schema. */
export interface CheckedOption {
  readonly name: string;
  readonly type: z.core.$ZodType | undefined;
  readonly json: Readonly<Record<string, unknown>>;
}

type Make = (options: unknown, provided: ReadonlyMap<symbol | string, unknown>) => unknown;

/** A package whose options and hooks are checked. */
export class CheckedPackage {
  readonly schema: z.ZodType | undefined;
  readonly calls: NonNullable<PackageContractOptions['calls']>;
  readonly #exports: PackageExports;
  readonly #provide: () => readonly Provision[];

  constructor(exports: PackageExports, { provide = () => [], calls = [] }: PackageContractOptions) {
    const { options } = exports;
    this.#exports = exports;
    this.schema =
      typeof options === 'object' && options !== null && '_zod' in options ? (options as z.ZodType) : undefined;
    this.calls = calls;
    this.#provide = provide;
  }

  get hasOptions(): boolean {
    return this.#exports.options !== undefined;
  }

  /** The schema of the options as JSON Schema. @throws if it cannot be expressed */
  toJson(): { readonly properties?: Readonly<Record<string, CheckedOption['json']>>; readonly type?: unknown } {
    return z.toJSONSchema(this.schema!, { io: 'input', unrepresentable: 'throw' }) as object;
  }

  /** Lists the options; empty for a schema that is not an object, which has a check of its own. */
  listOptions(): readonly CheckedOption[] {
    try {
      const { shape = {} } = this.schema as { readonly shape?: Readonly<Record<string, z.core.$ZodType>> };
      const properties = Object.entries(this.toJson().properties ?? {});
      return properties.map(([name, json]) => ({ name, json, type: shape[name] }));
    } catch {
      return [];
    }
  }

  /** The author's examples. */
  get examples(): readonly unknown[] {
    return (this.schema?.meta()?.['examples'] as readonly unknown[] | undefined) ?? [];
  }

  /** Options that work: none if that is valid, otherwise the author's example, with other values for some. */
  fill(values: Readonly<Record<string, unknown>> = {}): unknown {
    if (this.schema === undefined) return undefined;
    const example = this.schema.safeParse({}).success ? {} : this.examples[0];
    return this.schema.parse({ ...(example as object), ...values });
  }

  /** Makes the hooks, as for a new session. */
  hooks(options: unknown = this.fill()): readonly Hook[] {
    return this.#make(this.#exports.hooks, options, this.#provide()) as readonly Hook[];
  }

  /** Makes the spaces, as for a new session, with the values that are provided to them. */
  spaces(options: unknown): { readonly spaces: readonly SpaceSource[]; readonly provide: readonly Provision[] } {
    const provide = this.#provide();
    return { spaces: this.#make(this.#exports.spaces, options, provide) as readonly SpaceSource[], provide };
  }

  #make(exported: unknown, options: unknown, provide: readonly Provision[]): readonly unknown[] {
    const provided = new Map(provide.map(({ token, value }) => [token, value]));
    const made = typeof exported === 'function' ? (exported as Make)(options, provided) : (exported ?? []);
    return [made].flat();
  }
}
