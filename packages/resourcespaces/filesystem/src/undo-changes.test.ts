import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

const TWO = 'one\ntwo\n';

describe('undo', () => {
  it('lists what it undid', async () => {
    const home = openHome({ 's.py': TWO, 'out.txt': 'x\n'.repeat(10) });
    await home.send('<R:s.py>');
    await home.send('<E:s.py:1-2>\nboth\n</E>\n<W:out.txt>\nhello\n</W>\n<W:d/new.txt>x</W>');
    expect(await home.send('<undo:>')).toEqual(['Undid write of d/new.txt (the new file is gone)']);
    expect(existsSync(join(home.folder, 'd'))).toBe(false);
    expect(await home.send('<undo:5>')).toEqual([
      'Undid write of out.txt (1 -> 10 lines)\nUndid edit of s.py (1 -> 2 lines)\nNothing more to undo.',
    ]);
    expect(home.content('s.py')).toBe(TWO);
    expect(await home.send('<undo:>')).toEqual(['Nothing to undo: no change of this session is left.']);
  });

  it.each(['0', '-1', '1.5', 'all'])('does not take %s for a number of changes', async (steps) => {
    const home = openHome();
    expect((await home.send(`<undo:${steps}>`))[0]).toContain("ParameterError: tool 'undo' parameter error");
  });

  it('reports what it could not undo, and what it did until then', async () => {
    const home = openHome();
    await home.send('<W:a.txt>1</W>\n<W:b.txt>1</W>');
    home.change('a.txt', 'theirs');
    expect(await home.send('<undo:2>')).toEqual([
      `Undid write of b.txt (the new file is gone)
1 error:
- ConflictError: a.txt changed after the write that is to be undone (line count 1 -> 1). It was left unchanged. Read it, and change it back by an edit.
  Try: <R:a.txt>`,
    ]);
    expect((await home.send('<undo:>'))[0]).toMatch(/^ConflictError: a\.txt changed after the write/);
    expect(home.content('a.txt')).toBe('theirs');
  });

  it('brings back what the session knows, so that it can go on editing', async () => {
    const home = openHome({ 's.py': TWO });
    await home.send('<R:s.py>');
    await home.send('<E:s.py:1>\n1\n</E>');
    await home.send('<undo:>');
    expect((await home.send('<E:s.py:2>\n2\n</E>'))[0]).toContain('Replaced line 2');
    expect(home.content('s.py')).toBe('one\n2\n');
  });

  it('brings back what the session has never seen, which it has to read first', async () => {
    const home = openHome({ 's.py': TWO });
    await home.send('<W:s.py>x</W>\n<undo:>');
    expect((await home.send('<E:s.py:2>\n2\n</E>'))[0]).toContain('s.py was not read in this session');
  });

  it('shows the person who is asked what it would change', async () => {
    const previews: (string | undefined)[] = [];
    const home = openHome(
      { 's.py': TWO },
      approvalPolicy({
        ask: async ({ tool, preview }) => {
          if (tool === 'undo') previews.push(await preview?.());
          return { decision: 'allow' };
        },
      }),
    );
    expect(await home.send('<undo:>')).toEqual(['Nothing to undo: no change of this session is left.']);
    await home.send('<W:s.py>x</W>\n<W:new.txt>y</W>\n<undo:2>');
    expect(previews).toEqual([
      `--- new.txt
+++ /dev/null
@@ -1 +0,0 @@
-y
\\ No newline at end of file
--- s.py
+++ s.py
@@ -1 +1,2 @@
-x
\\ No newline at end of file
+one
+two
`,
    ]);
    expect(home.content('s.py')).toBe(TWO);
  });
});
