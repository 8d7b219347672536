// A process of its own that asks one question: `ask-once.ts FOLDER [wait]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TypeService } from '../src/type-service/type-service.ts';

const [folder = '', wait] = process.argv.slice(2);
const sources = [join(folder, 'src/a.ts')];
const files = {
  read: async (file: string) => readFileSync(file, 'utf8'),
  sources: async () => sources,
  mentioning: async () => sources,
};
const service = new TypeService({ folder, files });
const { total } = await service.diagnostics();
process.stdout.write(`${total} error, process ${service.pid}\n`);
if (wait !== undefined) setInterval(() => undefined, 1000);
