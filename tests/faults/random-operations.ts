import type { WorkspaceRoot } from '@bae/workspace';
import type { RandomSource } from './random-source.ts';

const PLAIN = ['lf.txt', 'crlf.txt', 'src/mixed.txt', 'src/deep/endless.txt', 'src/run.sh', 'bytes.bin'];
const LINKED = ['link.txt', 'linked/mixed.txt', 'dangling.txt', './src//run.sh'];
const NEW = ['new.txt', 'a/b/c/new.txt', 'a/b/other.txt', 'a/x.txt', 'empty/first.txt', 'linked/made/here.txt'];
const PATHS = [...PLAIN, ...LINKED, ...NEW];

/** One random thing that a session does to files. What is not possible just then is left out. */
export async function operate(root: WorkspaceRoot, random: RandomSource, session: string): Promise<void> {
  const path = random.pick(PATHS);
  const kind = random.below(10);
  if (kind === 0) {
    await root.undo({ steps: 1 + random.below(3), session });
    return;
  }
  if (!(await root.exists(path))) {
    await root.write(path, contentFrom(random), { session });
    return;
  }
  if (kind <= 2) await root.remove(path, { session });
  else if (kind <= 5 || path === 'bytes.bin') await root.write(path, contentFrom(random), { session });
  else await edit(root, path, { random, session });
}

interface Editing {
  readonly random: RandomSource;
  readonly session: string;
}

/** Replaces lines, or a text. */
async function edit(root: WorkspaceRoot, path: string, { random, session }: Editing): Promise<void> {
  const { text, hash } = await root.readText(path);
  const lines = text.split('\n');
  lines.splice(random.below(lines.length), random.below(3), ...contentFrom(random).split('\n'));
  const changed = random.below(2) === 0 ? lines.join('\n') : text.replace('one', `x${random.below(100)}`);
  await root.write(path, changed, { session, action: 'edit', expected: hash });
}

function contentFrom(random: RandomSource): string {
  const ending = random.pick(['\n', '\r\n']);
  const lines = Array.from({ length: random.below(6) }, () => `line ${random.below(1000)} é😀`);
  return random.pick(['', '\ufeff', 'one ']) + lines.join(ending) + random.pick(['', ending]);
}
