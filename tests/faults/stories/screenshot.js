// A picture of a page: an image as a result, with a link to the page.
import { deflateSync, crc32 } from 'node:zlib';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

export const options = z.strictObject({
  site: z.string().default('http://127.0.0.1:9').describe('Address that pages belong to'),
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Draws a row of pixels for each line of a text, as dark as the line is long. */
function draw(text) {
  const lines = text.split('\n');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(80, 0);
  header.writeUInt32BE(lines.length, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = lines.map((line) =>
    Buffer.from([0, ...Array.from({ length: 80 }, (_, x) => (x < line.length ? 0 : 255))]),
  );
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]);
}

export const spaces = ({ site }) =>
  defineResourcespace({
    name: 'browser',
    description: 'Pages of one site, as they look.',
    enter: () => `at ${site}`,
    tools: {
      screenshot: tool(
        'A picture of a page.',
        { path: z.string().meta({ description: 'Path of the page', examples: ['/'] }) },
        async ({ path }, { signal }) => {
          const url = new URL(path, site).href;
          const response = await fetch(url, { signal });
          if (!response.ok) throw new ResourceError(`${url} answers ${response.status}.`, ['<screenshot:/>']);
          const data = draw(await response.text());
          const image = { type: 'image', mediaType: 'image/png', name: 'page.png', data };
          return { text: `This is ${url}.`, attachments: [image, { type: 'link', url, name: 'the page' }] };
        },
        { effect: 'read', openWorld: true },
      ),
    },
  });
