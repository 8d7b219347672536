import { join } from 'node:path';
import { defineConfig, type CodeSplittingNameFunction, type Plugin } from 'rolldown';
import { makeScript } from './script-chunk.config.ts';

const packages = join(import.meta.dirname, '../../packages');
const spaces = join(packages, 'resourcespaces');

/** Every public entry of a package that is bundled, by the name that imports it. Plugins share them: main.ts. */
const ENTRIES: Readonly<Record<string, string>> = {
  '@bae/commands': join(spaces, 'commands/src/index.ts'),
  '@bae/core': join(packages, 'core/src/index.ts'),
  '@bae/core/pipeline': join(packages, 'core/src/pipeline.ts'),
  '@bae/filesystem': join(spaces, 'filesystem/src/index.ts'),
  '@bae/mcp-server': join(packages, 'mcp-server/src/index.ts'),
  '@bae/mcp': join(spaces, 'mcp/src/index.ts'),
  '@bae/memory': join(spaces, 'memory/src/index.ts'),
  '@bae/models': join(packages, 'models/src/index.ts'),
  '@bae/plugins': join(packages, 'plugins/src/index.ts'),
  '@bae/project': join(packages, 'project/src/index.ts'),
  '@bae/sandbox': join(packages, 'sandbox/src/index.ts'),
  '@bae/search': join(spaces, 'search/src/index.ts'),
  '@bae/server': join(packages, 'server/src/index.ts'),
  '@bae/skills': join(spaces, 'skills/src/index.ts'),
  '@bae/source': join(spaces, 'source/src/index.ts'),
  '@bae/store': join(packages, 'store/src/index.ts'),
  '@bae/tasks': join(spaces, 'tasks/src/index.ts'),
  '@bae/telemetry': join(packages, 'telemetry/src/index.ts'),
  '@bae/testing': join(packages, 'testing/src/index.ts'),
  '@bae/workspace': join(packages, 'workspace/src/index.ts'),
};

const MAIN = join(import.meta.dirname, 'src/main.ts');
const SHELL = join(import.meta.dirname, 'src/commands/shell.ts');
type FindImports = (id: string) => readonly string[];

/** Returns the modules that are loaded together with others, except some. */
function collectImports(roots: readonly string[], findImports: FindImports, others?: ReadonlySet<string>) {
  const found = new Set<string>();
  const ahead = [...roots];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (found.has(id) || others?.has(id) === true) continue;
    found.add(id);
    ahead.push(...findImports(id));
  }
  return found;
}

let ofMain: ReadonlySet<string> | undefined;
let ofShell: ReadonlySet<string> | undefined;

// To find and open a file takes as long as to load twenty kilobytes: every command starts from one file, the shell from
// one more, instead of sixty.
const nameChunk: CodeSplittingNameFunction = (id, context) => {
  const findImports: FindImports = (one) => context.getModuleInfo(one)?.importedIds ?? [];
  ofMain ??= collectImports([MAIN], findImports);
  ofShell ??= collectImports([SHELL], findImports, ofMain);
  if (ofShell.has(id)) return 'start';
  return ofMain.has(id) && id !== MAIN ? 'command-line' : null;
};

/**
 * Takes Node's own modules as they are. An import statement reads every export of such a module first, and some of them
 * load further modules then: a quarter of what Node itself takes to start.
 */
const takeOwnModules: Plugin = {
  name: 'take-own-modules',
  renderChunk: (code, { name }) => {
    // Reporters run in the Node of a project, which may be too old for that.
    if (name.endsWith('-reporter')) return null;
    return code.replace(
      /^import (?:([\w$]+)(?:, )?)?(?:\{([^}]*)\} |\* as ([\w$]+) )?from "(node:[\w/]+)";$/gm,
      (...[, whole, names, space, module]: (string | undefined)[]) => {
        const taken = `process.getBuiltinModule("${module}")`;
        const parts = [
          ...[whole, space].filter((name) => name !== undefined),
          ...(names === undefined ? [] : [`{${names.replaceAll(' as ', ': ')}}`]),
        ];
        return parts.map((part) => `const ${part} = ${taken};`).join(' ');
      },
    );
  },
};

// One bundle instead of six hundred files: loading that many takes longer than all the rest of a start.
export default defineConfig({
  input: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    'run-chunk': 'src/run-chunk.ts',
    ...ENTRIES,
    // Threads and programs that the packages start from a file beside the module.
    'isolate-worker': join(packages, 'plugins/src/isolate/isolate-worker.ts'),
    'supervisor-worker': join(packages, 'project/src/supervisor-worker.ts'),
    're2-worker': join(packages, 'workspace/src/search/re2-worker.ts'),
    'sandbox-worker': join(packages, 'sandbox/src/host/sandbox-worker.ts'),
    'project-compiler-worker': join(spaces, 'source/src/type-service/project-compiler-worker.ts'),
    'jest-reporter': join(spaces, 'source/src/tests/jest-reporter.ts'),
    'mocha-reporter': join(spaces, 'source/src/tests/mocha-reporter.ts'),
    'node-test-reporter': join(spaces, 'source/src/tests/node-test-reporter.ts'),
    'vitest-reporter': join(spaces, 'source/src/tests/vitest-reporter.ts'),
  },
  // Native code, what looks for files of its own, and packages that only some people install.
  external: [
    '@bae/source-python',
    '@bae/store-postgres',
    '@jitl/quickjs-wasmfile-release-sync',
    '@vscode/ripgrep',
    'oxc-parser',
    'typescript',
  ],
  platform: 'node',
  plugins: [takeOwnModules, makeScript('start')],
  resolve: {
    alias: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [`${name}$`, path])),
      // Its main file asks for the others in a way that no bundler sees.
      'jsonc-parser$': join(spaces, 'source/node_modules/jsonc-parser/lib/esm/main.js'),
    },
  },
  output: {
    dir: 'dist',
    // All in one folder, where such files are looked for.
    entryFileNames: ({ name }) => `${name.replaceAll('/', '-')}.js`,
    chunkFileNames: '[name].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'start', name: nameChunk }],
    },
    // The sources have them; licences stay.
    comments: { legal: true, jsdoc: false, annotation: false },
    // Stacks lead to the sources, which are not part of the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
});
