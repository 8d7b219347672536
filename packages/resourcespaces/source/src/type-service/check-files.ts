import { uriOf, type PulledDiagnostics } from './language-protocol.ts';
import type { CompilerSession } from './compiler-session.ts';
import { RpcError } from './rpc-connection.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';

/** What is to be checked. */
export interface CheckedFiles {
  readonly files: readonly string[];
  /** Moment of `performance.now()` after which no further file is begun. Default: never. */
  readonly until?: number;
}

const ERROR = 1;
/** Files that are asked for at the same time: the compiler works on several, and can still be told to stop. */
const AT_ONCE = 8;

/**
 * The errors of files, by file; those for which there was no time, or which the compiler does not know, are not in
 * the result. The first files are begun first.
 */
export async function checkFiles(
  session: CompilerSession,
  { files, until = Infinity }: CheckedFiles,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly SourceDiagnostic[]>> {
  const found = new Map<string, readonly SourceDiagnostic[]>();
  const left = files.values();
  const work = async (): Promise<void> => {
    for (const file of left) {
      if (performance.now() > until) return;
      const diagnostics = await checkFile(session, file, signal);
      if (diagnostics !== undefined) found.set(file, diagnostics);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

async function checkFile(
  session: CompilerSession,
  file: string,
  signal: AbortSignal,
): Promise<readonly SourceDiagnostic[] | undefined> {
  const params = { textDocument: { uri: uriOf(file) } };
  try {
    const { items = [] } = await session.request<PulledDiagnostics>('textDocument/diagnostic', params, signal);
    return items
      .filter(({ severity }) => severity === ERROR)
      .map(({ range: { start }, code, message }) => ({
        file,
        line: start.line + 1,
        column: start.character + 1,
        code: Number(code),
        message,
      }));
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
