// Loaded before a program: it gets the store without core, which takes most of the time of a start, and of
// which the store needs an error to derive its own from.
import { registerHooks } from 'node:module';

const CORE =
  'data:text/javascript,export class BaeError extends Error {' +
  ' static is() { return false; } static withCode() { return class extends BaeError {}; } }';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@bae/core' ? { url: CORE, shortCircuit: true } : next(specifier, context),
});
