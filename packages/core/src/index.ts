// Public API, in the order of the pipeline. A name added here is a promise to every plugin author.
import 'reflect-metadata';

export { inject } from 'tsyringe';
export { resourcespace } from './decorators/resourcespace.ts';
export { tool } from './decorators/tool.ts';
export { defineResourcespace } from './decorators/define-resourcespace.ts';
