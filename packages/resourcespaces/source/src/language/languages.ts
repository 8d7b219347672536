import type { LanguageReader, SourceLanguage } from './outline.ts';

/** The built-in languages. If two files have the same name, the first language and extension take precedence. */
const BUILT_IN: readonly SourceLanguage[] = [
  {
    names: ['TypeScript', 'JavaScript'],
    endings: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
    index: 'index',
    load: async () => (await import('./typescript-outline.ts')).typescriptOutline,
  },
  {
    names: ['Vue', 'Svelte'],
    endings: ['vue', 'svelte'],
    index: 'index',
    load: async () => (await import('./component-outline.ts')).componentOutline,
  },
];

interface FileName {
  /** File name without the extension: `router.test`. */
  readonly stem: string;
  readonly ending: string;
  /** True when the file stands for its folder. */
  readonly isIndex: boolean;
  /** Position of its extension among all; the lowest is preferred. */
  readonly rank: number;
}

/** The languages whose files are modules, and their readers. */
export class Languages {
  readonly #all: readonly SourceLanguage[];
  readonly #endings: ReadonlyMap<string, SourceLanguage>;
  readonly #readers = new Map<SourceLanguage, Promise<LanguageReader>>();

  /** @param more languages in addition to the built-in ones */
  constructor(more: readonly SourceLanguage[] = []) {
    this.#all = [...BUILT_IN, ...more];
    this.#endings = new Map(this.#all.flatMap((language) => language.endings.map((ending) => [ending, language])));
  }

  get names(): readonly string[] {
    return this.#all.flatMap(({ names }) => names);
  }

  get endings(): readonly string[] {
    return [...this.#endings.keys()];
  }

  /** Splits the name of a file into parts; returns undefined when its extension belongs to no language. */
  splitFileName(name: string): FileName | undefined {
    const dot = name.lastIndexOf('.');
    const ending = name.slice(dot + 1);
    const language = dot > 0 ? this.#endings.get(ending) : undefined;
    if (language === undefined) return undefined;
    const stem = name.slice(0, dot);
    return { stem, ending, isIndex: stem === language.index, rank: this.endings.indexOf(ending) };
  }

  /**
   * Returns the reader of a file, which is loaded on first use. If it cannot be loaded, the result reads no symbols.
   */
  readerOf(path: string): Promise<LanguageReader> {
    const language = this.#endings.get(path.slice(path.lastIndexOf('.') + 1)) ?? BUILT_IN[0]!;
    const known = this.#readers.get(language);
    if (known !== undefined) return known;
    const reader = language.load().catch((error: unknown) => createMissingReader(language, error));
    this.#readers.set(language, reader);
    return reader;
  }
}

/** Creates a reader that returns no symbols, only a problem with the reason. */
function createMissingReader({ names }: SourceLanguage, error: unknown): LanguageReader {
  const cause = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const problem = { message: `symbols of ${names.join(' and ')} cannot be read: ${cause}`, line: 1, column: 1 };
  return {
    outline: () => ({ doc: '', symbols: [], stars: [], problem }),
    parse: () => ({ symbols: [], offset: 0, literals: [], problem }),
  };
}
