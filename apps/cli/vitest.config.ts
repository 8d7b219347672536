import { mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.ts';

// The tests in test/ start the built program.
export default mergeConfig(shared, { test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 } });
