import { describe, expect, it } from 'vitest';
import { named } from './scaffold-files.ts';
import { scaffoldNames } from './scaffold-names.ts';

const renamed = (path: string, text: string) => [...named(new Map([[path, text]]), scaffoldNames('snow-report'))][0];

describe('named', () => {
  it.each([
    ['class TemplateSpace', 'class SnowReportSpace'],
    ['templateAgent()', 'snowReportAgent()'],
    ["from './template-space.ts'", "from './snow-report-space.ts'"],
    ['"bae-resourcespace-template"', '"bae-resourcespace-snow-report"'],
    ["name: 'template'", "name: 'snow_report'"],
    ['`@template()`', '`@snow_report()`'],
    ['contract as template', 'contract as snow_report'],
    ['templates of others', 'templates of others'],
  ])('turns %j into %j', (text, expected) => {
    expect(renamed('a.ts', text)).toEqual(['a.ts', expected]);
  });

  it('names files, too, and gives back those that npm leaves out their own name', () => {
    expect(renamed('src/template-space.ts', '')).toEqual(['src/snow-report-space.ts', '']);
    expect(renamed('gitignore', 'dist/')).toEqual(['.gitignore', 'dist/']);
  });
});
