import type { ParamSpec } from '../protocol/tool-definition.ts';

/** Words for a text parameter, by `tool.parameter`; the first that matches counts. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^glob\.(pattern|target)$/, 'src/**/*.ts'],
  [/^grep\.path$/, 'src'],
  [/(pattern|query|search|regex)$/, 'TODO'],
  [/(dir|directory|folder)$/, 'src'],
  [/(target|path|file|file_?name)$/, 'src/app.ts'],
  [/(title|subject)$/, 'New title'],
  [/id$/, '1'],
  [/(url|link)$/, 'https://example.com'],
  [/date$/, '2026-01-31'],
  [/name$/, 'main'],
  [/old$/, 'old text'],
  [/new$/, 'new text'],
];

/**
 * A value that a parameter would most likely take: its own example or default, else one that fits its
 * type and name.
 *
 * @param tool name of the tool that the parameter belongs to
 */
export function exampleValue(param: ParamSpec, tool: string): unknown {
  if (param.example !== undefined) return param.example;
  if (!isEmpty(param.default)) return param.default;
  switch (param.type) {
    case 'string':
      return TEXTS.find(([place]) => place.test(`${tool}.${param.name}`.toLowerCase()))?.[1] ?? 'text';
    case 'int':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string[]':
      return ['one', 'two'];
    case 'json':
      return {};
    default:
      return firstAlternative(param, tool);
  }
}

function firstAlternative(param: ParamSpec, tool: string): unknown {
  const [type = ''] = param.type.split('|');
  return ['string', 'int', 'number', 'boolean', 'string[]'].includes(type)
    ? exampleValue({ ...param, type }, tool)
    : type;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
