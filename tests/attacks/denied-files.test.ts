import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalPolicy, asModelText, createAgent, type ApprovalPolicy, type Approver } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { Sandbox } from '@bae/sandbox';
import { provideSource, SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

const FILES: Readonly<Record<string, string>> = {
  'package.json':
    '{\n  "name": "sample",\n  "version": "1.0.0",\n  "type": "module",\n  "dependencies": { "left": "1.0.0" }\n}\n',
  'package-lock.json': '{}\n',
  'src/kept.ts': 'export const kept = 1;\nexport function run(): number {\n  return kept;\n}\n',
  'src/other.ts': "import { kept } from './kept.ts';\nexport const other = kept + 1;\n",
  'docs/a.md': '# A\n',
  'docs/kept.ts': 'x\n',
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "lib": ["es2022"], "types": [] } }\n',
};

/** What would change `package.json`, its lockfile or `src/kept.ts`, which rules deny; everything else is allowed. */
const DENIED: Readonly<Record<string, string>> = {
  write: '<W:package.json>\n{}\n</W>',
  'write, spelled with a dot': '<W:./package.json>\n{}\n</W>',
  'write, spelled by way of a folder': '<W:docs/../package.json>\n{}\n</W>',
  'write, in capitals': '<W:PACKAGE.JSON>\n{}\n</W>',
  'write, through a link': '<W:linked.json>\n{}\n</W>',
  'write, through a linked folder': '<W:sources/kept.ts>\nx\n</W>',
  edit: '<E:package.json old="sample" new="other">',
  'edit of lines': '<E:package.json:2>\n  "name": "other",\n</E>',
  delete: '<delete:package.json>',
  'delete of its folder': '<delete:src>',
  move: '<move:package.json to=docs/p.json>',
  'move onto it': '<move:docs/a.md to=src/kept.ts>',
  'move of its folder': '<move:src to=lib>',
  'move of a folder onto its own': '<delete:docs>\n<move:src to=docs>',
  'a setting, written': '<source.config.W:package.author>me</W>',
  'a setting, edited': '<source.config.E:package.name>other</source.config.E>',
  'a setting, removed': '<source.config.remove:package.type>',
  'a dependency, added': '<source.deps.W:zod>',
  'a dependency, removed': '<source.deps.remove:left>',
  'a symbol, written': '<source.W:src.kept.kept>\nexport const kept = 2;\n</W>',
  'a symbol, edited': '<source.E:src.kept.run>\nexport function run(): number {\n  return 2;\n}\n</E>',
  'a symbol, added': '<source.W:src.kept.more>\nexport const more = 2;\n</W>',
  'a symbol, renamed from elsewhere': '<source.rename:src.kept.kept to=base>',
  'a symbol, removed': '<source.remove:src.kept.kept>',
  'write, in quotes': '<W:"src/kept.ts">\nx\n</W>',
  'write, with two slashes': '<W:src//kept.ts>\nx\n</W>',
  'write, through a link to a link': '<W:again/kept.ts>\nx\n</W>',
  'delete of a link to its folder': '<delete:sources>',
  'move of a link to its folder': '<move:sources to=lib>',
  'move into its folder, onto it': '<move:docs/kept.ts to=src>',
  'move with both paths in one': '<move:docs/kept.ts -> src/kept.ts>',
  'a module, overwritten': '<source.W:src.kept overwrite=true>\nexport const kept = 3;\n</source.W>',
  'a symbol, removed by an edit': '<source.E:src.kept.run delete=true></source.E>',
  'a symbol, added behind another': '<source.E:src.kept.kept after=true>\nexport const b = 1;\n</source.E>',
  'by a tool of another framework':
    '<tool_call>\n{"name":"str_replace_editor","arguments":{"command":"create","path":"src/kept.ts","file_text":"x"}}\n</tool_call>',
  'by code, in every spelling':
    '<run>\nfor (const path of ["src/kept.ts", "./src/kept.ts", "SRC/kept.ts", "sources/kept.ts"]) await write(path, "x").catch(() => 1);\n</run>',
  'by code, all at once':
    '<run>\nawait Promise.allSettled([write("docs/b.md", "x"), write("src/kept.ts", "x"), home.move("src", "lib")]);\n</run>',
  'by code, step by step':
    '<run>\nawait write("b/kept.ts", "x");\nfor (const [from, to] of [["src", "lib"], ["b", "src"], ["b/kept.ts", "src/kept.ts"]]) await home.move(from, to).catch(() => 1);\n</run>',
  'by JSON': '<tool_call>\n{"name":"write","arguments":{"target":"package.json","content":"{}"}}\n</tool_call>',
  'by code': '<run>\nawait write("package.json", "{}");\n</run>',
  'by code, with others':
    '<run>\nawait write("docs/b.md", "x");\nawait edit("package.json", { old: "sample", new: "x" });\n</run>',
  'by code, moved about': '<run>\nawait write("x.json", "{}");\nawait home.move("x.json", "package.json");\n</run>',
  'by code, in a place': '<run>\nawait source.config.edit("package.version", "3.0.0");\n</run>',
};

function open(policy: ApprovalPolicy, wrap = (approver: Approver) => approver) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-denied-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['docs', 'src']) mkdirSync(join(folder, name));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  symlinkSync('package.json', join(folder, 'linked.json'));
  symlinkSync('src', join(folder, 'sources'));
  symlinkSync('sources', join(folder, 'again'));
  const provide = [provideWorkspace(folder), provideSource({})];
  const agent = createAgent({
    home: FilesystemSpace,
    spaces: [SourceSpace],
    provide,
    approver: wrap(approvalPolicy(policy)),
    codeRunner: sandbox,
  });
  onTestFinished(() => agent.close());
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const list = () =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((path) => !path.startsWith('.bae'));
  return { run: (text: string) => agent.run(asModelText(text)), read, list };
}

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

describe('a file that a rule denies', () => {
  it.each(Object.entries(DENIED))('is not changed: %s', async (_, text) => {
    const targets = ['package.json', 'package-lock.json', 'src/kept.ts'];
    const { run, read } = open({ rules: targets.map((target) => ({ target, decision: 'deny' })), otherwise: 'allow' });
    await run(text);
    expect(targets.map(read)).toEqual(targets.map((path) => FILES[path]));
  });

  it.each(['src', 'src/', './src'])('is not changed if the rule names its folder: %s', async (target) => {
    const { run, read } = open({ rules: [{ target, decision: 'deny' }], otherwise: 'allow' });
    await run('<W:src/kept.ts>\nx\n</W>\n<move:src to=lib>\n<source.rename:src.kept.kept to=base>\n<delete:src>');
    expect(read('src/kept.ts')).toBe(FILES['src/kept.ts']);
  });

  it.each(['<undo:1>', '<undo:>', '<undo:2>', '<run>\nawait undo({ steps: 1 });\n</run>'])(
    'is not changed by an undo of what was allowed before: %s',
    async (undo) => {
      const denying = approvalPolicy({ rules: [{ target: 'src/kept.ts', decision: 'deny' }], otherwise: 'allow' });
      const { run, read } = open({ otherwise: 'allow' }, (allowing) => ({
        approve: (request, signal) => (isDenied ? denying : allowing).approve(request, signal),
        decide: (request) => (isDenied ? denying : allowing).decide?.(request),
      }));
      let isDenied = false;
      await run('<W:docs/b.md>\nx\n</W>\n<E:src/kept.ts old="= 1" new="= 2">');
      isDenied = true;
      await run(undo);
      expect(read('src/kept.ts')).toContain('kept = 2');
    },
  );
});

/** What reaches beyond `docs`, the only folder that a rule allows. */
const BEYOND: Readonly<Record<string, string>> = {
  'a move out of it': '<move:docs/a.md to=src/a.md>',
  'a move into it': '<move:src/other.ts to=docs/other.ts>',
  'a move of the folder': '<move:docs to=src/docs>',
  'a path with a detour': '<W:docs/../src/new.ts>\nx\n</W>',
  'a name that begins the same': '<W:docs2/new.md>\nx\n</W>',
  'another case': '<W:Docs/new.md>\nx\n</W>',
  'a link out of it': '<W:docs/../sources/new.ts>\nx\n</W>',
  'a block with one file elsewhere': '<run>\nawait write("docs/b.md", "x");\nawait write("src/b.ts", "x");\n</run>',
  'a block that moves out': '<run>\nawait home.move("docs/a.md", "src/a.md");\n</run>',
};

describe('a rule that allows a folder', () => {
  it.each(Object.entries(BEYOND))('does not allow %s', async (_, text) => {
    const { run, list, read } = open({ rules: [{ target: 'docs/**', decision: 'allow' }], otherwise: 'deny' });
    const before = list();
    await run(text);
    expect(list().filter((path) => !path.startsWith('docs/'))).toEqual(
      before.filter((path) => !path.startsWith('docs/')),
    );
    expect(read('docs/a.md')).toBe(FILES['docs/a.md']);
  });
});
