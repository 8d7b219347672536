import { describe, expect, it } from 'vitest';
import { withoutFence } from './without-fence.ts';

describe('withoutFence', () => {
  it.each([
    ['```ts\na\n```', '\na\n'],
    ['\n```typescript\r\na\nb\n  ```\n\n', '\n\na\nb\n'],
    ['~~~\na\n~~~~', '\na\n'],
    ['````js\n```\n````', '\n```\n'],
    ['```\n```', '\n'],
  ])('leaves out that of %j', (code, inside) => {
    expect(withoutFence(code)).toBe(inside);
  });

  it.each([
    'a',
    '',
    '```ts\na',
    '```ts\na\n~~~',
    '````\na\n```',
    'a\n```\nb\n```',
    '`a`\nb\n`c`',
    '``` a b c\n```',
    '```',
  ])('leaves %j as it is', (code) => {
    expect(withoutFence(code)).toBe(code);
  });

  it('takes time that grows with the code', () => {
    const code = `\`\`\`ts\n${'\n `'.repeat(100_000)}`;
    expect(withoutFence(code)).toBe(code);
    expect(withoutFence(`\`\`\`${'\n'.repeat(100_000)}a`)).toContain('a');
  });
});
