// Public API: what a configuration file needs.
export { defineConfig, type BaeConfig } from './config/bae-config.ts';
