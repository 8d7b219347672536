import type { TrustEntry, TrustStore, TrustSubject } from '@bae/plugins';
import { visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';

/** Things that are not trusted, as a person is asked about them: what they are, where they are, what they say. */
export function subjectLines(
  subjects: readonly TrustSubject[],
  trust: Pick<TrustStore, 'stateOf'>,
  paint: Painter,
): readonly string[] {
  return subjects.flatMap((subject) => {
    const changed = trust.stateOf(subject) === 'changed' ? paint('hint', ' (changed since you decided about it)') : '';
    return [
      `${paint('strong', visibleLine(subject.name))}${changed} -- ${visibleLine(subject.path)}`,
      ...subject.about.map((line) => `  ${visibleLine(line)}`),
    ];
  });
}

/** What to think of before one trusts anything. */
export const WHAT_TRUST_MEANS =
  'What you trust runs on this machine with all your rights, whatever it says of itself. When it changes, bae asks again.';

/** One decision as a line: `trusted   bae-resourcespace-tickets -- /home/me/shop/node_modules/…`. */
export function entryLine({ name, path }: TrustEntry, state: string): string {
  return visibleLine(`${state.padEnd(9)} ${name} -- ${path}`);
}
