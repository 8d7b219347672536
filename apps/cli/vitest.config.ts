import { mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

// Most tests run bae in this process. Its modules are loaded once for all of them: no test changes any.
export default mergeConfig(shared, { test: { include: ['test/**/*.test.ts'], isolate: false } });
