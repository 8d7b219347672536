import type { PackageManager } from '@bae/project';
import { describe, expect, it } from 'vitest';
import { listManagerArguments } from './deps-space.ts';

describe('listManagerArguments', () => {
  it.each<[PackageManager['name'], string | undefined, string, string]>([
    [
      'npm',
      undefined,
      'install --ignore-scripts --no-audit --no-fund --save-dev zod',
      'uninstall --ignore-scripts --no-audit --no-fund zod',
    ],
    [
      'pnpm',
      undefined,
      'add --ignore-scripts --ignore-workspace-root-check --save-dev zod',
      'remove --ignore-scripts zod',
    ],
    ['bun', undefined, 'add --ignore-scripts --dev zod', 'remove --ignore-scripts zod'],
    ['yarn', '4.1.0', 'add --dev zod', 'remove zod'],
    [
      'yarn',
      '1.22.0',
      'add --ignore-scripts --ignore-workspace-root-check --dev zod',
      'remove --ignore-scripts --ignore-workspace-root-check zod',
    ],
  ])('passes %s %s the arguments that it takes', (name, version, add, remove) => {
    const manager = { name, version };
    expect(listManagerArguments(manager, { verb: 'add', dependency: 'zod', dev: true }).join(' ')).toBe(add);
    expect(listManagerArguments(manager, { verb: 'remove', dependency: 'zod', dev: true }).join(' ')).toBe(remove);
    expect(listManagerArguments(manager, { verb: 'add', dependency: 'zod', dev: false })).not.toContain('--save-dev');
  });

  it.each<[PackageManager['name'], string | undefined, string]>([
    ['npm', undefined, 'install --ignore-scripts --no-audit --no-fund'],
    ['pnpm', undefined, 'install --ignore-scripts'],
    ['bun', undefined, 'install --ignore-scripts'],
    ['yarn', '4.1.0', 'install'],
    ['yarn', '1.22.0', 'install --ignore-scripts'],
  ])('has %s %s install what package.json names', (name, version, expected) => {
    const args = listManagerArguments({ name, version }, { verb: 'install', dependency: '', dev: false });
    expect(args.join(' ')).toBe(expected);
  });
});
