/** True for what only runs to check something: tests, benchmarks, the tests package, examples. */
export function isTest(path: string): boolean {
  return /\.(test|bench)\.tsx?$/.test(path) || /^(tests|examples)\//.test(path) || /(^|\/)test\//.test(path);
}

/** True for what ships: the sources of packages and apps. */
export function isProduct(path: string): boolean {
  return /^(packages|apps)\//.test(path) && !isTest(path) && !isConfig(path) && !isTemplate(path);
}

/** True for files that are copied into other people's packages; they keep the rules of such packages. */
export function isTemplate(path: string): boolean {
  return /^apps\/[^/]+\/templates\//.test(path);
}

/** True for settings files of tools, which the tools want to have a default export. */
export function isConfig(path: string): boolean {
  return /(^|\/)(vitest\.[a-z]+|[a-z]+\.config)\.ts$/.test(path);
}
