export { TemplateSpace } from './template-space.ts';
