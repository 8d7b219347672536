import {
  type DiagnosticRequest,
  findDiagnostics,
  findIntroduced,
  type IntroducedRequest,
} from '../src/type-service/find-diagnostics.ts';
import { findReferences } from '../src/type-service/find-references.ts';
import { planSymbolRename } from '../src/type-service/plan-rename.ts';
import { TypeService } from '../src/type-service/type-service.ts';

interface IntroducedByTest extends Partial<Omit<IntroducedRequest, 'changes'>> {
  readonly changes: readonly { readonly file: string; readonly before?: string | null; readonly after: string }[];
}

/** A type service with a method for each query. */
export class QueriedTypes extends TypeService {
  /** Checks all sources, unless files are given. */
  diagnostics(request: Partial<DiagnosticRequest> = {}, signal?: AbortSignal) {
    return this.check(async (all) => {
      const files = await all.files.sources();
      return findDiagnostics(all, { files, budgetMs: Infinity, projectsOnly: false, ...request });
    }, signal);
  }

  /** Compares with the texts on disk, unless others are given: null for none. */
  introduced({ changes, ...limits }: IntroducedByTest, signal?: AbortSignal) {
    return this.check(async (all) => {
      const compared = changes.map(async ({ before, ...change }) => {
        return { ...change, before: before === undefined ? await all.files.read(change.file) : (before ?? undefined) };
      });
      const request = { changes: await Promise.all(compared), budgetMs: 20_000, projectsOnly: false, ...limits };
      return findIntroduced(all, request);
    }, signal);
  }

  references(place: Parameters<typeof findReferences>[1], signal?: AbortSignal) {
    return this.run(async (all) => (await findReferences(all, place)).references, signal);
  }

  renameEdits(request: Parameters<typeof planSymbolRename>[1], signal?: AbortSignal) {
    return this.run((all) => planSymbolRename(all, request), signal);
  }
}
