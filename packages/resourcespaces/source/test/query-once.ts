// A process of its own that makes one query: `query-once.ts FOLDER [wait]`.
import { WorkspaceRoot } from '@bae/workspace';
import { ModuleIndex } from '../src/modules/module-index.ts';
import { ModuleFiles } from '../src/type-service/module-files.ts';
import { QueriedTypes } from './queried-types.ts';

const [folder = '', wait] = process.argv.slice(2);
const root = new WorkspaceRoot(folder);
const service = new QueriedTypes(new ModuleFiles(root, new ModuleIndex(root)));
const { total } = await service.diagnostics();
process.stdout.write(`${total} error, process ${service.pid}\n`);
if (wait !== undefined) setInterval(() => undefined, 1000);
