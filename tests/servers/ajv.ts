import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/**
 * Compiles a schema by the edition that it names, otherwise by that of the protocol. Only own properties count, as in
 * JSON: a property may be called `constructor`.
 */
export function compileWithAjv(schema: AnySchemaObject, validateFormats = false): ValidateFunction {
  const AjvOf = String(schema['$schema']).includes('draft-07') ? Ajv : Ajv2020;
  const ajv = new AjvOf({ strict: false, allErrors: true, logger: false, validateFormats, ownProperties: true });
  if (validateFormats) addFormats.default(ajv);
  return ajv.compile(schema);
}
