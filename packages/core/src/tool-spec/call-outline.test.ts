import { expect, it } from 'vitest';
import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import { callOutline } from './call-outline.ts';

const text = (name: string, more: Partial<ParamSpec> = {}): ParamSpec => ({ name, type: 'string', ...more });
const optional = (name: string): ParamSpec => text(name, { default: '' });

it.each<readonly [outline: string, spec: ToolSpec]>([
  ['now()', { name: 'now', params: [] }],
  ['read(target?)', { name: 'read', params: [optional('target')] }],
  ['write(target, content)', { name: 'write', params: [text('target'), text('content', { body: true })] }],
  ['grep(pattern, { path?, all? })', { name: 'grep', params: [text('pattern'), optional('path'), optional('all')] }],
  [
    'write(target, content, { force? })',
    { name: 'write', params: [text('target'), optional('force'), text('content')] },
  ],
  ['edit(id?, { title })', { name: 'edit', params: [optional('id'), text('title')] }],
  ['add(id, { … })', { name: 'add', params: [text('id')], rest: true }],
  ['delete_(my_id, { "max-size"? })', { name: 'delete', params: [text('my-id'), optional('max-size')] }],
])('%s', (outline, spec) => {
  expect(callOutline(spec)).toBe(outline);
});
