import type { SectionName } from '../rules/task-sections.ts';

/** How each section is written; what is between the tags is to be replaced. */
const TEMPLATES: Readonly<Record<SectionName, string>> = {
  assumptions: '<assumptions><claim risk="low">what is taken for granted</claim></assumptions>',
  reasoning: '<reasoning>why this, and why in this way</reasoning>',
  background_research:
    '<background_research><finding claim="what is so" source="where it says so" verified="yes"/></background_research>',
  acceptance_criteria: '<acceptance_criteria>how to tell that it is done</acceptance_criteria>',
  outcome: '<outcome>what came of it</outcome>',
  confidence: '<confidence>how sure this is, and why</confidence>',
  retrospective: '<retrospective>what to do differently next time</retrospective>',
};

/** Sections to fill in, one a line. */
export function sectionTemplate(names: readonly SectionName[]): string {
  return names.map((name) => TEMPLATES[name]).join('\n');
}
