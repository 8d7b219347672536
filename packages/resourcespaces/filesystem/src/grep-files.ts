import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { counted, showPath, type GrepResult, type GrepRow, type WorkspaceRoot } from '@bae/workspace';
import { consentToShow } from './consent-to-show.ts';
import { grepArgument } from './grep-argument.ts';

/** What to search for, and where. */
export interface GrepRequest {
  /** The pattern, or pattern and path as in `TODO src`. */
  readonly argument: string;
  /** File, folder or file pattern, when it is given apart. */
  readonly path: string | undefined;
  /** True to search what `.gitignore` excludes. */
  readonly all: boolean;
}

/** Lines that code gets at most. */
const MOST_FOR_CODE = 50_000;

/**
 * Shows the lines that match a regular expression, with path and number. Files that may hold secrets are
 * searched only when they are named and the user allows it.
 */
export async function grepFiles(root: WorkspaceRoot, request: GrepRequest, context: ToolContext): Promise<ToolOutput> {
  const { argument, all } = request;
  const { pattern, path } = await grepArgument(root, argument, request.path);
  const isNamed = path !== undefined && (await root.exists(path));
  const secrets = isNamed && (await consentToShow(await root.info(path), context));
  const query = { pattern, path, all, secrets, signal: context.signal };
  const result = await root.grep(query);
  const output = { text: renderMatches(result), format: 'plain', rows: result.matches } as const;
  const isAll = result.rows.length === result.matches && result.rows.every(isWhole);
  if (isAll && result.matches > 0 && result.withheld === 0) return output;
  const whole = async () => {
    if (result.matches > MOST_FOR_CODE) throw tooMany(result, context);
    const { rows } = isAll ? result : await root.grep({ ...query, limit: result.matches, long: true });
    return rows.map(renderRow).join('\n');
  };
  return { ...output, whole };
}

function renderMatches({ rows, matches, files, searched, withheld }: GrepResult): string {
  const note =
    withheld === 0 ? [] : [`not searched: ${counted(withheld, 'file')} that may hold secrets; name it to ask`];
  if (matches === 0) return ['(no matches)', `searched ${counted(searched, 'file')}`, ...note].join('\n');
  const shown = rows.map(renderRow);
  if (matches > rows.length) {
    shown.push(`... (${matches} total matches in ${counted(files, 'file')}). Narrow with path=… or a longer pattern.`);
  }
  return [...shown, ...note].join('\n');
}

/** False for a line that was cut; code gets more of it. */
function isWhole({ text }: GrepRow): boolean {
  return !/^…|…$/.test(text);
}

function renderRow({ path, line, text }: GrepRow): string {
  return `${showPath(path)}:${line}: ${text}`;
}

function tooMany({ matches, files }: GrepResult, { tag }: ToolContext): ResourceError {
  const found = `${matches} lines in ${counted(files, 'file')} match; code gets ${MOST_FOR_CODE} at most.`;
  return new ResourceError(`${found} Narrow with path=… or a longer pattern.`, [tag('<Grep:TODO path=src>')]);
}
