import type { ScaffoldFiles } from './scaffold-folder.ts';
import type { ScaffoldNames } from './scaffold-names.ts';

/** What npm would leave out of a package is kept under another name. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore' };

/** The files of templates with a name in the place of `template`, in paths and texts, in the form that fits there. */
export function named(files: ScaffoldFiles, names: ScaffoldNames): ScaffoldFiles {
  return new Map([...files].map(([path, text]) => [RENAMED[path] ?? inNames(path, names), inNames(text, names)]));
}

function inNames(text: string, { name, identifier, camel, pascal }: ScaffoldNames): string {
  return text
    .replaceAll('Template', pascal)
    .replaceAll(/\btemplate(?=[A-Z])/g, camel)
    .replaceAll(/(?<=-)template\b|\btemplate(?=-)/g, name)
    .replaceAll(/\btemplate\b/g, identifier);
}
