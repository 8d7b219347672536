import { fileURLToPath } from 'node:url';
import { locateBelow } from '@bae/workspace';
import type { ContentBlock } from '@modelcontextprotocol/client';

/** Maximum number of blocks whose addresses are looked at. */
const MOST_BLOCKS = 500;

/** Lists the files of a folder that a result links to or contains, as paths below the folder. */
export function listNamedFiles(blocks: readonly ContentBlock[], folder: string): readonly string[] {
  return blocks.slice(0, MOST_BLOCKS).flatMap((block) => {
    if (block.type === 'resource_link') return findFile(block.uri, folder);
    return block.type === 'resource' ? findFile(block.resource.uri, folder) : [];
  });
}

function findFile(uri: string, folder: string): readonly string[] {
  if (!/^file:/i.test(uri)) return [];
  try {
    return [locateBelow(folder, fileURLToPath(uri)) ?? []].flat();
  } catch {
    // The address of a file may be one of another machine.
    return [];
  }
}
