import {
  findNearestName,
  ResourceError,
  tool,
  type SearchHit,
  type SpaceDefinition,
  type ToolContext,
} from '@bae/core';
import { checkPattern, formatQuantity, parseGlob, re2Search } from '@bae/workspace';
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { listNamedFiles, joinBlocks, oneLine } from './tool-result.ts';
import type { ServerConnection } from './server-connection.ts';
import type { ListName } from './transport/list-reading.ts';

/** Maximum wait for the names of resources when every place is searched, in milliseconds. */
const SEARCH_MS = 3000;
/** Maximum number of resources that one search reads. */
const MOST_READ = 500;
/** Maximum number of lines of a search called by code, and maximum length of each in characters. */
const [MOST_ROWS, LONGEST_ROW] = [50_000, 10_000];

const PARAMS = {
  read: z.object({
    target: z
      .string()
      .default('')
      .meta({ description: 'Address of a resource', examples: [''] }),
  }),
  glob: z.object({ pattern: z.string().meta({ description: 'Pattern of addresses: ** * ? {a,b}', examples: ['**'] }) }),
  grep: z.object({
    pattern: z.string().meta({ description: 'Regular expression of RE2; (?i) ignores case', examples: ['TODO'] }),
    path: z
      .string()
      .optional()
      .meta({ description: 'Address of a resource, or pattern of addresses', examples: ['**'] }),
  }),
};

/**
 * Creates a place in which the resources of a server are listed, read, found by their addresses and searched.
 *
 * @param options time limit of one call, and the folder whose files the resources may be
 */
export function makeResources(
  connection: ServerConnection,
  { timeoutMs, folder }: { readonly timeoutMs: number; readonly folder: string },
): SpaceDefinition {
  const { name } = connection;
  const list = (signal: AbortSignal) =>
    connection.use(async (client) => (await client.listResources(undefined, { signal })).resources, signal);
  const fetchResource = (uri: string, signal: AbortSignal) =>
    connection.use(async (client) => (await client.readResource({ uri }, { signal })).contents, signal, '<R:>');

  const noteLeftOut = (...lists: readonly ListName[]) => {
    const text = connection.describeLeftOut(...lists);
    return text === '' ? [] : [text];
  };

  const read = async ({ target }: z.output<typeof PARAMS.read>, { signal, files }: ToolContext) => {
    const known = await list(signal);
    if (target === '') {
      const text = renderList(known, await listTemplates(connection, signal));
      return [text, ...noteLeftOut('resources', 'resourceTemplates')].join('\n');
    }
    const uri = known.find((one) => one.uri === target || one.name === target)?.uri ?? target;
    if (!URL.canParse(uri)) {
      const { message, nearest = '' } = explainMissingResource(name, target, known);
      throw new ResourceError(message, [`<R:${nearest}>`]);
    }
    const blocks = (await fetchResource(uri, signal)).map((resource) => ({ type: 'resource' as const, resource }));
    for (const file of listNamedFiles(blocks, folder)) files.add(file);
    return joinBlocks(blocks);
  };

  const glob = async ({ pattern }: z.output<typeof PARAMS.glob>, { signal, tag }: ToolContext) => {
    const all = await list(signal);
    const found = (await filterResources(all, pattern)).map(({ uri }) => uri);
    const none = ['(no matches)', `${formatQuantity(all.length, 'resource')}: ${tag('<R:>')}`];
    const text = [...(found.length === 0 ? none : found), ...noteLeftOut('resources')].join('\n');
    return { text, format: 'plain' as const, rows: found.length, whole: () => found };
  };

  const grep = async ({ pattern, path }: z.output<typeof PARAMS.grep>, { signal }: ToolContext) => {
    checkPattern(pattern);
    const known = await list(signal);
    const asked = path === undefined ? known : await filterResources(known, path);
    if (path !== undefined && asked.length === 0) {
      const { message, nearest } = explainMissingResource(name, path, known);
      throw new ResourceError(message, [nearest === undefined ? '<R:>' : `<Grep:${pattern} path=${nearest}>`]);
    }
    const unread: string[] = [];
    const { found, matches, searched } = await re2Search({
      pattern,
      limit: MOST_ROWS,
      width: LONGEST_ROW,
      paths: asked.slice(0, MOST_READ).map(({ uri }) => uri),
      signal,
      read: async (uri) => {
        try {
          const contents = await fetchResource(uri, signal);
          return [new TextEncoder().encode(contents.map((one) => ('text' in one ? one.text : '')).join('\n'))];
        } catch (error) {
          signal.throwIfAborted();
          unread.push(`${uri} (${oneLine((error as Error).message)})`);
          return undefined;
        }
      },
    });
    const rows = found.flatMap(({ path: uri, rows: lines }) => lines.map((line) => ({ path: uri, ...line })));
    const notes = [
      ...(rows.length === 0 ? ['(no matches)', `searched ${formatQuantity(searched, 'resource')}`] : []),
      ...(asked.length > MOST_READ ? [`not searched: ${asked.length - MOST_READ} more; name them with path=`] : []),
      ...(unread.length > 0 ? [`not read: ${unread.slice(0, 3).join(', ')}${unread.length > 3 ? ', …' : ''}`] : []),
      ...noteLeftOut('resources'),
    ];
    return {
      text: [...rows.map((row) => `${row.path}:${row.line}: ${row.text}`), ...notes].join('\n'),
      format: 'rows' as const,
      rows: matches,
      whole: () => rows.map(({ path: uri, line, text, long = text }) => ({ path: uri, line, text: long })),
    };
  };

  const limit = (verb: string) => ({ timeoutMs, explainTimeout: (ms: number) => connection.explainTimeout(verb, ms) });
  return {
    name: 'resources',
    description: `What the server ${name} has to read.`,
    tools: {
      read: tool('A resource, or all of them.', PARAMS.read, read, limit('read')).named('read'),
      glob: tool('Addresses of resources.', PARAMS.glob, glob, limit('glob')).named('glob'),
      grep: tool('Lines of resources that match.', PARAMS.grep, grep, limit('grep')).named('grep'),
    },
    enter: () => '',
    children: () => ({}),
    search: async (query, limit) => findResources(await list(AbortSignal.timeout(SEARCH_MS)), query).slice(0, limit),
  };
}

/** Lists a server's address templates; empty if it does not support them. */
async function listTemplates(
  connection: ServerConnection,
  signal: AbortSignal,
): Promise<readonly ResourceTemplateType[]> {
  try {
    const load = connection.use((client) => client.listResourceTemplates(undefined, { signal }), signal);
    return (await load).resourceTemplates;
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function explainMissingResource(server: string, target: string, known: readonly Resource[]) {
  const addresses = known.map(({ uri }) => uri);
  return {
    message: `${server} has no resource ${target}.`,
    nearest: findNearestName(target, addresses) ?? addresses[0],
  };
}

/** Selects the resources whose address (with or without its scheme) or name matches a file pattern. */
async function filterResources(all: readonly Resource[], pattern: string): Promise<readonly Resource[]> {
  const { base, matches } = await parseGlob(shortenScheme(pattern));
  const prefix = base === '' ? '' : `${base}/`;
  const fits = (path: string): boolean => path.startsWith(prefix) && matches(path.slice(prefix.length));
  return all.filter(({ uri, name }) => {
    const path = shortenScheme(uri);
    return uri === pattern || name === pattern || [path, path.replace(/^[\w+.-]+:\/?/, ''), name].some(fits);
  });
}

/** Shortens `file:///a` to `file:/a`, because a pattern cannot have empty parts between slashes. */
function shortenScheme(address: string): string {
  return address.replace(/^([a-z][\w+.-]*:)\/+/i, '$1/');
}

/** Finds the resources whose address, name or description contains every word. */
function findResources(all: readonly Resource[], query: string): readonly SearchHit[] {
  const words = query.toLowerCase().split(/\s+/);
  return all
    .map(({ uri, name, description }) => ({ target: uri, text: oneLine(`${name} ${description ?? ''}`) }))
    .filter(({ target, text }) => words.every((word) => `${target} ${text}`.toLowerCase().includes(word)));
}

function renderList(resources: readonly Resource[], templates: readonly ResourceTemplateType[]): string {
  const rows = [...resources, ...templates.map(({ uriTemplate, ...rest }) => ({ uri: uriTemplate, ...rest }))];
  if (rows.length === 0) return '(no resources)';
  return rows.map(({ uri, name, description }) => `${uri} -- ${oneLine(description ?? name)}`).join('\n');
}
