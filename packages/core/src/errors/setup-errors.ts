import { BaeError } from './bae-error.ts';

/** Invalid settings; thrown at start, before any request to a model. */
export class ConfigurationError extends BaeError.withCode({ code: 'BAE_CONFIGURATION' }) {}

/** A resourcespace that cannot be registered; thrown while an agent is created, never later. */
export class InvalidSpaceError extends BaeError.withCode({ code: 'BAE_INVALID_SPACE' }) {}
