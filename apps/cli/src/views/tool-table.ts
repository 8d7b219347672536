import type { SpaceTree } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import { outlineSpaces } from '../space-outline.ts';
import { wrapWords } from '../terminal/live-area.ts';
import { makeVisible, measureWidth, type Painter } from '../terminal/terminal-text.ts';

/** Minimum length of a signature that is displayed with one parameter per line, in characters. */
const WRAP = 40;
const GAP = 2;
/** Minimum width of the column of descriptions; on a narrower screen, they are below the signatures. */
const NARROWEST = 24;

/** Renders the tools of a place as calls, with their descriptions, to the width of the screen. */
export function renderCallTable(
  tree: SpaceTree,
  path: readonly string[],
  { columns, paint }: { readonly columns: number; readonly paint: Painter },
): readonly string[] {
  const space = tree.at(path);
  if (space === undefined) return [];
  const rows = outlineSpaces(tree, path, 0).tools.map((name) => {
    const { spec, description } = space.tools[name]!;
    const signature = makeVisible(renderSignature(spec, { style: 'call', wrap: WRAP })).split('\n');
    return { signature, about: makeVisible(description.split('\n', 1)[0]!) };
  });
  const left = Math.max(0, ...rows.flatMap(({ signature }) => signature.map(measureWidth)));
  const right = columns - 1 - left - GAP;
  return rows.flatMap(({ signature, about }) => {
    if (right < NARROWEST)
      return [...signature.flatMap((line) => paintSignature(line, columns, paint)), ...indent(about, columns, paint)];
    const lines = wrapWords(about, right);
    return Array.from({ length: Math.max(signature.length, lines.length) }, (_, at) => {
      const shown = signature[at] ?? '';
      const pad = ' '.repeat(left - measureWidth(shown) + GAP);
      return `${paintCall(shown, paint)}${pad}${paint('quiet', lines[at] ?? '')}`.trimEnd();
    });
  });
}

function paintSignature(line: string, columns: number, paint: Painter): readonly string[] {
  return wrapWords(line, columns - 1).map((part) => paintCall(part, paint));
}

function indent(text: string, columns: number, paint: Painter): readonly string[] {
  return wrapWords(text, columns - 1 - GAP).map((line) => `${' '.repeat(GAP)}${paint('quiet', line)}`);
}

/** Colours the names of the tool and its types in `read(target: string = "")`. */
function paintCall(line: string, paint: Painter): string {
  const [, name = '', rest = line] = /^([^\s(]+)(\(.*)$/.exec(line) ?? [];
  const typed = rest.replaceAll(/(: )([\w|[\]"-]+)/g, (_, colon: string, type: string) => colon + paint('hint', type));
  return paint('code', name) + typed;
}
