// Public API. A name added here is a promise to every user of the package.
export { PROJECT_FOLDERS, provideSkills, SkillsSpace, type SkillFolder } from './skills-space.ts';
