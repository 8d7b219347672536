/** Where a server of the tests may work, and whom it may ask. */
export interface ServerWorld {
  /** A folder of its own, with a git repository `repo` and a file `hello.txt`. */
  readonly folder: string;
  /** A page of this machine. */
  readonly page: string;
  /** A free port. */
  readonly port: number;
}

/** A server from npm that needs no account, and what its documentation says one does with it. */
export interface RealServer {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The program, below the folder of the package. */
  readonly program: string;
  readonly args?: (world: ServerWorld) => readonly string[];
  readonly env?: (world: ServerWorld) => Readonly<Record<string, string>>;
  /** Where it listens, for one that is reached over HTTP. Default: it is spoken to over its input and output. */
  readonly address?: { readonly path: string; readonly type: 'http' | 'sse' };
  readonly tools: number;
  /** Tags of a model in the place, and what comes of each. */
  readonly tags: (world: ServerWorld) => readonly (readonly [tag: string, result: RegExp])[];
  /** Code of a model, and what it prints. */
  readonly code: (world: ServerWorld) => readonly [code: string, result: RegExp];
}

const SMITH = '{"name": "John_Smith", "entityType": "person", "observations": ["Speaks fluent Spanish"]}';
/** What both servers with a graph of knowledge document. */
const GRAPH: Pick<RealServer, 'tags'> = {
  tags: () => [
    [`<create_entities:[${SMITH}, {"name": "Anthropic", "entityType": "company", "observations": []}]>`, /John_Smith/],
    ['<create_relations:[{"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"}]>', /works_at/],
    ['<add_observations:[{"entityName": "John_Smith", "contents": ["Graduated in 2019"]}]>', /Graduated in 2019/],
    ['<search_nodes:Spanish>', /John_Smith/],
    ['<open_nodes:John_Smith, Anthropic>', /Graduated in 2019[^]*"Anthropic"/],
  ],
};

const EVERYTHING: Pick<RealServer, 'package' | 'version' | 'program' | 'tools' | 'tags' | 'code'> = {
  package: '@modelcontextprotocol/server-everything',
  version: '2026.8.31',
  program: 'dist/index.js',
  tools: 16,
  tags: () => [
    ['<echo:Hello>', /^Echo: Hello$/],
    ['<get-sum:2 b=3>', /The sum of 2 and 3 is 5/],
    ['<get-structured-content:Chicago>', /"temperature": ?36/],
    ['<get-tiny-image:>', /\[image result:\d+: image\/png, \d+ k?B|bytes\]/],
    ['<get-annotated-message:error>', /Error: Operation failed/],
    ['<get-resource-links:3>', /demo:\/\/resource\/dynamic/],
    ['<trigger-long-running-operation:1 steps=2>', /Long running operation completed/],
    [
      '<everything.resources.G:demo://resource/static/document/*.md>',
      /^demo:\/\/resource\/static\/document\/\S+\.md$/m,
    ],
    ['<everything.resources.R:demo://resource/dynamic/text/1>', /Resource 1: This is a plaintext resource/],
    [
      '<everything.resources.Grep:(?i)protocol path=demo://resource/static/**>',
      /^demo:\/\/resource\/static\/\S+:\d+: /m,
    ],
    ['<everything.prompts.simple-prompt:>', /user: This is a simple prompt without arguments/],
  ],
  code: () => ['print((await everything.get_structured_content("Chicago")).temperature)', /^36$/m],
};

/** Each of them with a version that was read: another one may have other tools and examples. */
export const REAL_SERVERS: readonly RealServer[] = [
  {
    name: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    program: 'dist/index.js',
    args: ({ folder }) => [folder],
    tools: 14,
    tags: ({ folder }) => [
      [`<list_allowed_directories:>`, new RegExp(folder)],
      [`<write_file:${folder}/a.txt content="one two">`, /Successfully wrote/],
      [`<edit_file:${folder}/a.txt edits=[{"oldText": "two", "newText": "three"}]>`, /\+one three/],
      [`<read_text_file:${folder}/a.txt>`, /one three/],
      [`<search_files:${folder} pattern=**/*.txt>`, /a\.txt/],
      [`<read_text_file:/etc/passwd>`, /^ServerError: [^]*outside allowed directories/],
    ],
    code: ({ folder }) => [
      `const found = await filesystem.list_directory(${JSON.stringify(folder)}); print(JSON.stringify(found))`,
      /\[FILE\] a\.txt/,
    ],
  },
  { ...EVERYTHING, name: 'everything' },
  {
    ...EVERYTHING,
    name: 'everything',
    args: () => ['streamableHttp'],
    env: ({ port }) => ({ PORT: String(port) }),
    address: { path: '/mcp', type: 'http' },
  },
  {
    ...EVERYTHING,
    name: 'everything',
    args: () => ['sse'],
    env: ({ port }) => ({ PORT: String(port) }),
    address: { path: '/sse', type: 'sse' },
  },
  {
    ...GRAPH,
    name: 'memory',
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    program: 'dist/index.js',
    env: ({ folder }) => ({ MEMORY_FILE_PATH: `${folder}/memory.jsonl` }),
    tools: 9,
    code: () => [
      'print((await memory.read_graph()).entities.map(({ name }) => name).join(" "))',
      /John_Smith Anthropic/,
    ],
  },
  {
    name: 'thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    program: 'dist/index.js',
    tools: 1,
    tags: () => [
      [
        '<sequentialthinking:Plan the migration nextThoughtNeeded=true thoughtNumber=1 totalThoughts=2>',
        /"thoughtHistoryLength": ?1/,
      ],
      [
        '<sequentialthinking:Less downtime nextThoughtNeeded=false thoughtNumber=2 totalThoughts=2 isRevision=true revisesThought=1>',
        /"nextThoughtNeeded": ?false/,
      ],
    ],
    code: () => [
      'const next = await thinking.sequentialthinking({ thought: "Done", nextThoughtNeeded: false, thoughtNumber: 3, totalThoughts: 3 }); print(next.thoughtHistoryLength)',
      /^3$/m,
    ],
  },
  {
    name: 'calc',
    package: '@coo-quack/calc-mcp',
    version: '2.1.1',
    program: 'dist/index.js',
    tools: 21,
    tags: () => [
      ['<math:10 + 34 * 341 / 23>', /514\.0869/],
      ['<base:255 from=10 to=2>', /11111111/],
      ['<luhn:4539578763621486>', /true/],
      ['<base64:Hello World action=encode>', /SGVsbG8gV29ybGQ=/],
      ['<hash:password123 algorithm=sha256>', /ef92b778bafe/],
      ['<date:add date=2026-02-11 amount=100 unit=days>', /2026-05-22/],
      ['<url_parse:https://example.com/search?q=hello>', /example\.com/],
    ],
    code: () => ['print(JSON.stringify(await calc.math("10 + 34 * 341 / 23")))', /514\.0869/],
  },
  {
    name: 'git',
    package: '@cyanheads/git-mcp-server',
    version: '2.15.3',
    program: 'dist/index.js',
    tools: 28,
    tags: ({ folder }) => [
      [`<git_set_working_dir:${folder}/repo>`, /repo/],
      ['<git_status:>', /"current_?[bB]ranch"|branch/],
      ['<git_log:>', /the first one/],
      ['<git.resources.R:>', /git:\/\/working-directory/],
    ],
    code: ({ folder }) => [
      `print(JSON.stringify(await git.git_log({ path: ${JSON.stringify(`${folder}/repo`)} })))`,
      /the first one/,
    ],
  },
  {
    name: 'eslint',
    package: '@eslint/mcp',
    version: '0.3.13',
    program: 'src/mcp-cli.js',
    tools: 1,
    tags: ({ folder }) => [[`<lint-files:${folder}/wrong.js>`, /no-unused-vars|no-undef/]],
    code: ({ folder }) => [
      `print(JSON.stringify(await eslint.lint_files([${JSON.stringify(`${folder}/wrong.js`)}])))`,
      /no-unused-vars|no-undef/,
    ],
  },
  {
    name: 'taskmanager',
    package: '@kazuph/mcp-taskmanager',
    version: '1.1.1',
    program: 'dist/index.js',
    env: ({ folder }) => ({ TASK_MANAGER_FILE_PATH: `${folder}/tasks.json` }),
    tools: 10,
    tags: () => [
      [
        '<request_planning:Build it tasks=[{"title": "Task 1", "description": "First"}, {"title": "Task 2", "description": "Then"}]>',
        /req-1/,
      ],
      ['<get_next_task:req-1>', /task-1/],
      ['<mark_task_done:req-1 taskId=task-1 completedDetails="It works">', /task-1/],
      ['<approve_task_completion:req-1 taskId=task-1>', /approved/i],
    ],
    code: () => ['print(JSON.stringify(await taskmanager.get_next_task("req-1")))', /task-2/],
  },
  {
    name: 'bank',
    package: '@allpepper/memory-bank-mcp',
    version: '0.2.2',
    program: 'dist/main/index.js',
    env: ({ folder }) => ({ MEMORY_BANK_ROOT: `${folder}/bank` }),
    tools: 5,
    tags: () => [
      ['<memory_bank_write:shop fileName=brief.md content="# The shop">', /brief\.md/],
      ['<memory_bank_read:shop fileName=brief.md>', /# The shop/],
      ['<list_projects:>', /shop/],
    ],
    code: () => ['print(JSON.stringify(await bank.list_project_files("shop")))', /brief\.md/],
  },
  {
    ...GRAPH,
    name: 'graph',
    package: '@itseasy21/mcp-knowledge-graph',
    version: '1.0.7',
    program: 'dist/index.js',
    args: ({ folder }) => ['--memory-path', `${folder}/graph.jsonl`],
    tools: 11,
    code: () => ['print(JSON.stringify(await graph.search_nodes("works")))', /entities/],
  },
  {
    name: 'monitor',
    package: '@modelcontextprotocol/server-system-monitor',
    version: '2.0.3',
    program: 'dist/index.js',
    env: ({ port }) => ({ PORT: String(port) }),
    address: { path: '/mcp', type: 'http' },
    tools: 2,
    tags: () => [
      ['<get-system-info:>', /platform/],
      ['<monitor.resources.G:**>', /^ui:\/\//m],
    ],
    code: () => ['print(JSON.stringify(await monitor.poll_system_stats()))', /memory/],
  },
  {
    name: 'fetch',
    package: '@tokenizin/mcp-npx-fetch',
    version: '1.0.0',
    program: 'dist/index.js',
    tools: 4,
    tags: ({ page }) => [
      [`<fetch_html:${page}>`, /<h1>A page<\/h1>/],
      [`<fetch_markdown:${page}>`, /A page\n=+|# A page/],
      [`<fetch_txt:${page} headers={"x-token": "7"}>`, /A page[^]*token 7/],
      [`<fetch_json:${page}>`, /^ServerError|JSON/],
    ],
    code: ({ page }) => [`print(await fetch.fetch_txt(${JSON.stringify(page)}))`, /A page/],
  },
  {
    name: 'commands',
    package: '@agent-infra/mcp-server-commands',
    version: '1.2.18',
    program: 'dist/index.cjs',
    args: ({ port }) => ['--port', String(port)],
    address: { path: '/mcp', type: 'http' },
    tools: 2,
    tags: () => [
      ['<run_command:echo "Hello, World!">', /Hello, World!/],
      ['<run_script:echo $((6 * 7)) interpreter=bash>', /42/],
    ],
    code: () => ['print(JSON.stringify(await commands.run_command("echo 1 2")))', /1 2/],
  },
  {
    name: 'dbhub',
    package: '@bytebase/dbhub',
    version: '1.4.0',
    program: 'dist/index.js',
    args: () => ['--demo', '--transport', 'stdio'],
    tools: 2,
    tags: () => [
      ['<search_objects:table pattern=%dep%>', /"dept_manager"/],
      ['<execute_sql:SELECT count(*) AS n FROM employee>', /"n": 1000/],
    ],
    code: () => ['print(JSON.stringify(await dbhub.execute_sql("SELECT count(*) AS n FROM employee")))', /1000/],
  },
  {
    name: 'workos',
    package: '@workos/mcp-docs-server',
    version: '0.2.0',
    program: 'dist/index.js',
    tools: 4,
    tags: () => [
      ['<workos_search:webhook>', /webhook/i],
      ['<workos_search:createConnection>', /./],
      ['<workos_docs:sso/overview>', /sso|sign-on/i],
    ],
    code: () => ['print(JSON.stringify(await workos.workos_search("webhook", { maxResults: 1 })))', /webhook/i],
  },
  {
    name: 'time',
    package: 'time-mcp',
    version: '1.0.6',
    program: 'dist/index.js',
    tools: 6,
    tags: () => [
      ['<convert_time:Europe/Berlin targetTimezone=Asia/Tokyo time="2026-11-29 12:00:00">', /2026-11-29 20:00:00/],
      ['<convert_time:Nowhere targetTimezone=UTC time="2026-11-29 12:00:00">', /^ServerError: Invalid time zone/],
      ['<days_in_month:2028-02-01>', /29/],
      ['<get_week_year:2026-11-29>', /isoWeek of the year is 48/],
    ],
    code: () => ['print(await time.days_in_month("2027-02-01"))', /28/],
  },
  {
    name: 'shop',
    package: '@ivotoby/openapi-mcp-server',
    version: '1.16.1',
    program: 'bin/mcp-server.js',
    args: ({ folder, page }) => {
      const prompt = { name: 'review', template: 'Review {{name}}.', arguments: [{ name: 'name', required: true }] };
      const options = ['--openapi-spec', `${folder}/api.json`, '--api-base-url', page.replace(/\/$/, '')];
      return [...options, '--prompts-inline', JSON.stringify([prompt])];
    },
    tools: 2,
    tags: () => [
      ['<lst-pages:2>', /<h1>A page<\/h1>/],
      ['<lst-pages:500>', /limit: expected at most 50/],
      ['<get-page:7>', /A page/],
      ['<shop.prompts.review:a cup>', /^user: Review a cup\.$/],
    ],
    code: () => ['print(await shop.lst_pages({ limit: 1 }))', /A page/],
  },
];
