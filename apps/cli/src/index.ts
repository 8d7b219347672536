// Public API for configuration files.
export { defineConfig, type BaeConfig } from './config/bae-config.ts';
