import type { FileEdits } from './rename-edits.ts';
import type { Question } from './question.ts';
import { referencedProjects } from './referenced-projects.ts';

/**
 * Those of the changed files that see the source of a symbol, not only what was built of it.
 *
 * @param source absolute path of the file that declares the symbol
 */
export async function editsThatSee(
  question: Question,
  source: string,
  edits: readonly FileEdits[],
): Promise<readonly FileEdits[]> {
  const { session, signal } = question;
  const own = await session.configOf(source, signal);
  const seeing: FileEdits[] = [];
  for (const edit of edits) {
    const config = await session.configOf(edit.file, signal);
    const isNear = config === own || config === undefined;
    if (isNear || (await sees(question, config, source))) seeing.push(edit);
  }
  return seeing;
}

async function sees({ session, files, signal }: Question, config: string, source: string): Promise<boolean> {
  for (const project of [config, ...(await referencedProjects(config, files))]) {
    if ((await session.factsOf(project, signal)).files.includes(source)) return true;
  }
  return false;
}
