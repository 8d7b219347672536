import { createErrorClass } from './bae-error.ts';

/** Settings that are invalid; thrown at start, before any request to a model. */
export class ConfigurationError extends createErrorClass({ code: 'BAE_CONFIGURATION' }) {}

/** A resourcespace that cannot be registered; thrown while an agent is created, never later. */
export class InvalidSpaceError extends createErrorClass({ code: 'BAE_INVALID_SPACE' }) {}
