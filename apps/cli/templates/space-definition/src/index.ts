export { options, spaces } from './template-space.ts';
