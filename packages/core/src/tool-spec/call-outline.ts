import type { ToolSpec } from '../protocol/tool-spec.ts';
import { callShape, fieldName, positionName } from './call-shape.ts';
import { codeName } from './code-name.ts';

/** A tool as code calls it, without types: `read(target?, { page?, all? })`. */
export function callOutline({ name, params, rest = false }: ToolSpec): string {
  const { byPosition, byName } = callShape(params);
  const fields = [...byName.map(fieldName), ...(rest ? ['…'] : [])];
  const options = fields.length === 0 ? [] : [`{ ${fields.join(', ')} }`];
  return `${codeName(name)}(${[...byPosition.map(positionName), ...options].join(', ')})`;
}
