import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileFences } from '../docs/compile-fences.ts';
import { runBae } from './run-bae.ts';

const folder = join(import.meta.dirname, '../docs/.generated/declarations');
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Calls as a model writes them, in every place that comes with the program. */
const CALLS = {
  home: `await edit("a.ts:1-2", {content: "x"}); await undo(2); (await grep("x", {path: "src"})).map(({ line }) => line + 1); (await glob("*")).join();`,
  source: `await write("lib.a", "…", {export: true}); await rename("a", "b"); await read();`,
  'source.config': `await write("package.scripts", "{}", {package: "core"});`,
  'source.deps': `await write("zod", {dev: true});`,
  'source.meta': `await reload("weather"); await edit("weather.a", {delete: true});`,
  'source.tests': `await test("core", {name: "x"}); await results();`,
  tasks: `await write("Title", {tags: ["a"], body: "x"}); await edit(7, {status: "done", parent: "none"});`,
};
const PLACES = Object.keys(CALLS) as (keyof typeof CALLS)[];

/** What the compiler says of code, each piece of it a module of its own. */
function errorsOf(pieces: readonly string[]): readonly string[] {
  const fences = pieces.map((code, index) => ({ language: 'ts', note: '', code, line: 1, path: `piece-${index}.md` }));
  return compileFences(fences, folder, repository);
}

describe('what the model is told of code', () => {
  it('is TypeScript when it is asked for', async () => {
    const input = PLACES.map((place) => `@${place}()\n<help:run>\n`).join('');
    const { stdout } = await runBae(['do', '--cwd', repository], { input });
    // The answers to `@place()` and to `<help:run>`, in turn.
    const answers = stdout
      .split(/^(?:---\n)?#\d+ \w+ .* ok\n|^\[end/m)
      .filter((_, index) => index > 0 && index % 2 === 0);
    expect(answers).toHaveLength(PLACES.length);
    const everywhere = 'await home(); await source.read("core"); await tasks();';
    expect(errorsOf(PLACES.map((place, index) => `${answers[index]}\n${CALLS[place]}\n${everywhere}`))).toEqual([]);
  });
});
