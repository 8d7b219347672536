export { options, spaces } from './template-space.js';
