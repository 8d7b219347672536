/** A call as another framework makes it, and what it is in the tag protocol. */
export interface SampleCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expected: SampleResult;
}

/** The parts of a parsed call that every syntax has to give. */
export interface SampleResult {
  readonly verb: string;
  readonly arg: string;
  readonly body?: string;
  readonly kwargs?: Readonly<Record<string, unknown>>;
  readonly space?: string;
}

const CODE =
  'import { a } from "./a.ts";\n\nexport function f<T>(x: T): T {\n  return x; // "quoted" \\ and \'single\'\n}';
const MARKDOWN = '# Title\n\n```ts\n<R:inside.ts>\n```\n\n- one\n- two & three < four';

const PATHS = ['a.ts', 'src/app.ts', 'docs/日本語.md', 'with space.txt', './x/y.json', 'README.md'];

function reads(): SampleCall[] {
  const names = ['Read', 'read', 'read_file', 'view', 'cat', 'functions.read'];
  const plain = PATHS.map((path, index) => ({
    name: names[index]!,
    args: { [index % 2 === 0 ? 'path' : 'file_path']: path },
    expected: { verb: 'read', arg: path },
  }));
  return [
    ...plain,
    { name: 'Read', args: { file_path: 'a.ts', offset: 10, limit: 5 }, expected: { verb: 'read', arg: 'a.ts:10-14' } },
    {
      name: 'read_file',
      args: { path: 'a.ts', start_line: 3, end_line: 9 },
      expected: { verb: 'read', arg: 'a.ts:3-9' },
    },
    { name: 'Read', args: { file_path: 'a.ts', offset: 7 }, expected: { verb: 'read', arg: 'a.ts:7-' } },
    { name: 'source.read', args: { target: 'core' }, expected: { verb: 'read', arg: 'core', space: 'source' } },
  ];
}

function writes(): SampleCall[] {
  const contents = [
    'hi',
    CODE,
    MARKDOWN,
    'tab\there',
    'ünï – “quotes”',
    '{"json": [1, 2]}',
    'last line',
    '$& \\n not a break',
  ];
  const names = ['Write', 'write', 'write_to_file', 'create_file', 'Write', 'write', 'write_to_file', 'create_file'];
  return contents.map((content, index) => ({
    name: names[index]!,
    args: { path: PATHS[index % PATHS.length], content },
    expected: { verb: 'write', arg: PATHS[index % PATHS.length]!, body: content },
  }));
}

function edits(): SampleCall[] {
  const pairs = [
    ['x', 'y'],
    ['const a = 1;', 'const a = 2;'],
    ['a\n  b', 'a\n  c\n  d'],
    ['f<T>(x)', 'g<T>(x) => x'],
    ['say("hi")', "say('hi')"],
    ['日本', '語'],
    ['a & b', 'a && b'],
    ['end', 'END'],
  ] as const;
  const keys = [
    ['Edit', 'old_string', 'new_string'],
    ['edit', 'old', 'new'],
    ['str_replace', 'old_str', 'new_str'],
    ['edit', 'old_text', 'new_text'],
  ] as const;
  return pairs.map(([before, after], index) => {
    const [name, oldKey, newKey] = keys[index % keys.length]!;
    return {
      name,
      args: { path: 'a.ts', [oldKey]: before, [newKey]: after },
      expected: { verb: 'edit', arg: 'a.ts', kwargs: { old: before, new: after } },
    };
  });
}

function searches(): SampleCall[] {
  const patterns = ['TODO', 'import .* from', 'a|b', 'Array<T>', String.raw`\bword\b`, 'foo(bar)', 'x = "y"', 'ü'];
  const names = ['Grep', 'grep', 'search_files', 'ripgrep'];
  const greps = patterns.map((pattern, index) => ({
    name: names[index % names.length]!,
    args: { [index % 3 === 0 ? 'pattern' : index % 3 === 1 ? 'query' : 'regex']: pattern, path: 'src' },
    expected: { verb: 'grep', arg: pattern, kwargs: { path: 'src' } },
  }));
  return [
    ...greps,
    { name: 'Glob', args: { pattern: '**/*.ts' }, expected: { verb: 'glob', arg: '**/*.ts' } },
    { name: 'glob', args: { pattern: '*.md', path: 'docs' }, expected: { verb: 'glob', arg: 'docs/*.md' } },
    { name: 'find_files', args: { pattern: '*.json', path: 'a/' }, expected: { verb: 'glob', arg: 'a/*.json' } },
    { name: 'list_files', args: { path: 'src', recursive: true }, expected: { verb: 'glob', arg: 'src/**' } },
    { name: 'list_files', args: { path: 'src' }, expected: { verb: 'read', arg: 'src' } },
    { name: 'list_dir', args: { path: '.' }, expected: { verb: 'read', arg: '.' } },
  ];
}

function customTools(): SampleCall[] {
  const args: readonly Readonly<Record<string, unknown>>[] = [
    { title: 'Login fails' },
    { title: 'Login fails', body: 'Steps:\n1. Open\n2. Click' },
    { title: 'Crash', priority: 1 },
    { title: 'Crash', draft: true },
    { title: 'a < b', assignee: 'ada' },
    { title: 'x', number: 4.5 },
  ];
  const plain = args.map((one) => ({
    name: 'create_issue',
    args: one,
    expected: { verb: 'create_issue', arg: '', kwargs: one },
  }));
  return [
    ...plain,
    {
      name: 'github.create_issue',
      args: { title: 'y' },
      expected: { verb: 'create_issue', arg: '', kwargs: { title: 'y' }, space: 'github' },
    },
    {
      name: 'mcp__github__create_issue',
      args: { title: 'z' },
      expected: { verb: 'create_issue', arg: '', kwargs: { title: 'z' }, space: 'github' },
    },
    {
      name: 'list_tables',
      args: { schema: 'public' },
      expected: { verb: 'list_tables', arg: '', kwargs: { schema: 'public' } },
    },
    {
      name: 'query',
      args: { sql: 'SELECT * FROM t WHERE a < 3' },
      expected: { verb: 'query', arg: '', kwargs: { sql: 'SELECT * FROM t WHERE a < 3' } },
    },
  ];
}

/** Fifty calls of the five verbs under many names, and of tools of mounted servers. */
export const SAMPLE_CALLS: readonly SampleCall[] = [
  ...reads(),
  ...writes(),
  ...edits(),
  ...searches(),
  ...customTools(),
];
