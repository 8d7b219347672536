import { units } from '@bae/core/pipeline';
import { ANSWER_CAP } from '../read/page-rows.ts';

/** Lines of one module. */
export interface ModuleLines {
  /** Name of the module. */
  readonly module: string;
  /** As they are shown: `12: text`. */
  readonly lines: readonly string[];
}

/** Lines of modules that may be more than one answer can show. */
export interface ModuleRows {
  /** Lines that every page begins with. */
  readonly head: readonly string[];
  readonly groups: readonly ModuleLines[];
  /** 1-based. */
  readonly page: number;
  /** The tag of a page. */
  readonly tagOf: (page: number) => string;
}

/** Longest line, in characters. */
const LONGEST = 200;
/** Room for the line that leads to the next page, in units, besides its tag. */
const FOOTER = 40;

/** One page of lines below the names of their modules, with the tag for the next one when there is one. */
export function renderModuleRows({ head, groups, page, tagOf }: ModuleRows): string {
  const room = ANSWER_CAP - units(head.join('\n')) - FOOTER - units(tagOf(999));
  const pages = pagesOf(groups, room);
  const at = Math.min(page, pages.length);
  const shown = [...head, ...(pages[at - 1] ?? [])];
  if (pages.length < 2) return shown.join('\n');
  const place = `page ${at} of ${pages.length}`;
  return [...shown, at < pages.length ? `[${place}; next: ${tagOf(at + 1)}]` : `[${place}]`].join('\n');
}

/** The same lines for code, each with its module: `core.agent:12: text`. */
export function rowsForCode(groups: readonly ModuleLines[]): readonly string[] {
  return groups.flatMap(({ module, lines }) => lines.map((line) => `${module}:${line}`));
}

/** Every page begins with the name of a module. */
function pagesOf(groups: readonly ModuleLines[], room: number): readonly (readonly string[])[] {
  const pages: string[][] = [];
  let left = 0;
  for (const { module, lines } of groups) {
    for (const [index, line] of lines.entries()) {
      const row = `  ${clipped(line)}`;
      const isFirst = index === 0 && left >= units(`${module}\n${row}`) + 2;
      const size = units(isFirst ? `${module}\n${row}` : row) + 1;
      if (isFirst) pages.at(-1)!.push(module, row);
      else if (index > 0 && left >= size) pages.at(-1)!.push(row);
      else {
        pages.push([module, row]);
        left = room - units(module) - 1;
      }
      left -= size;
    }
  }
  return pages;
}

function clipped(line: string): string {
  const points = Array.from(line);
  return points.length <= LONGEST ? line : `${points.slice(0, LONGEST - 1).join('')}…`;
}
