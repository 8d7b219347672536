import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';

const { compilerOptions } = JSON.parse(TSCONFIG) as { compilerOptions: object };

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...compilerOptions,
      module: 'esnext',
      moduleResolution: 'bundler',
      paths: { '@/*': ['./src/*'] },
    },
    include: ['src/**/*'],
  }),
  'src/box.ts':
    'export class Box {\n  size = 1;\n}\nexport const makeBox = () => new Box();\nexport const count = 1;\n',
  'src/Card.vue':
    '<template>\n  <Box :size="box.size" />\n</template>\n<script setup lang="ts">\nimport { Box, makeBox } from \'@/box\';\nconst box = makeBox();\nconsole.log(Box, box.size);\n</script>\n',
  'src/Plain.vue':
    "<script>\r\nimport { Box as Other, makeBox } from './box';\r\nexport default { box: makeBox(), Other };\r\n</script>\r\n<template><p>{{ box.size }}</p></template>\r\n",
  'src/Store.svelte': "<script>\n  import { count } from './box';\n  $: twice = $count + $count;\n</script>\n{twice}\n",
  'src/Tags.vue': "<script setup>\nimport { makeBox } from './box';\n</script>\n<template><make-box /></template>\n",
};

describe('renaming what components import', () => {
  it('changes their scripts, whatever their imports are called', async () => {
    const { send, content } = openSource(FILES);
    const result = await send('<rename:makeBox to=createBox>');
    expect(result).toContain('Renamed makeBox in box to createBox: 6 places in 4 modules');
    expect(content('src/Card.vue')).toBe(FILES['src/Card.vue'].replaceAll('makeBox', 'createBox'));
    expect(content('src/Plain.vue')).toBe(FILES['src/Plain.vue'].replaceAll('makeBox', 'createBox'));
    await send('<undo:>');
    expect(content('src/Card.vue')).toBe(FILES['src/Card.vue']);
  });

  it('keeps the name that a template goes on using', { tags: ['long'] }, async () => {
    const { send, content } = openSource(FILES);
    expect(await send('<rename:Box to=Crate>')).toContain('imported under its old name, which the rest uses: Card\n');
    expect(content('src/Card.vue')).toBe(FILES['src/Card.vue'].replace('{ Box,', '{ Crate as Box,'));
    expect(content('src/Plain.vue')).toContain('import { Crate as Other, makeBox }');
    await send('<rename:count to=total>');
    expect(content('src/Store.svelte')).toBe(FILES['src/Store.svelte'].replace('{ count }', '{ total as count }'));
    await send('<rename:makeBox to=createBox>');
    expect(content('src/Tags.vue')).toContain('{ createBox as makeBox }');
  });

  it('changes the members of a module beside a name that stays', { tags: ['long'] }, async () => {
    const { send, content } = openSource({
      ...FILES,
      'src/Both.vue':
        "<script setup>\nimport { Box } from './box';\nimport * as all from './box';\nconsole.log(all.Box, Box);\n</script>\n<template><Box /></template>\n",
    });
    await send('<rename:Box to=Crate>');
    expect(content('src/Both.vue')).toContain('{ Crate as Box }');
    expect(content('src/Both.vue')).toContain('console.log(all.Crate, Box);');
  });

  it('lists the lines of templates that may use a member', { tags: ['long'] }, async () => {
    const { send, content } = openSource(FILES);
    const result = await send('<rename:Box.size to=width>');
    expect(result).toContain('\n  Card:2: <Box :size="box.size" />  <R:Card:2>\n');
    expect(result).toContain('\nsize may be used in 1 line of components, not changed:\n  Plain:5: ');
    expect(content('src/Card.vue')).toContain('console.log(Box, box.width)');
  });

  it('is refused where it would break one of them', async () => {
    const { send, content } = openSource({
      ...FILES,
      'src/Taken.vue': "<script setup>\nimport { count } from './box';\nconst total = count;\n</script>\n",
    });
    expect(await send('<rename:count to=total>')).toMatch(/count in box was not renamed[^]*Taken/);
    expect(content('src/box.ts')).toBe(FILES['src/box.ts']);
  });
});

describe('renaming a component', () => {
  const PARTS = {
    'src/MyButton.vue':
      '<script setup>\nfunction press() {}\nfunction label() {}\nconst labels = [];\n</script>\n<template><b @click="press">{{ label() }}</b></template>\n',
    'src/App.vue':
      "<script setup>\nimport MyButton from './MyButton.vue';\n</script>\n<template><MyButton /><my-button /></template>\n",
    'src/main.ts': "import Other from './MyButton.vue';\nOther;\n",
  };

  it('names its file, and the edits that change its name', async () => {
    const { send, content } = openSource(PARTS);
    const result = await send('<rename:MyButton to=PressButton>');
    expect(result).toMatch(
      /^EditError: MyButton is a component, named by its file: move src\/MyButton\.vue to src\/PressButton\.vue, and change its name in App, main\. Nothing was changed\.\n/,
    );
    for (const [tag] of result.matchAll(/<E:.*>/g)) await send(tag);
    expect(content('src/App.vue')).toBe(
      PARTS['src/App.vue'].replaceAll('MyButton', 'PressButton').replaceAll('my-button', 'press-button'),
    );
    expect(content('src/main.ts')).toBe(PARTS['src/main.ts'].replace('MyButton', 'PressButton'));
  });

  it('has no tag of another form if its name is one word', async () => {
    const { send } = openSource({ ...PARTS, 'src/use.ts': "import App from './App.vue';\nexport const app = App;\n" });
    const result = await send('<rename:App to=Shell>');
    expect(result.match(/<E:.*>/g)).toEqual(['<E:use old="App" new="Shell" every=true>']);
  });

  it('changes what its script declares and nothing else uses', { tags: ['long'] }, async () => {
    const text =
      '<template><b>{{ total }}</b></template>\n<script setup>\nconst price = 2;\nfunction half(price) {\n  return price / 2;\n}\nconst total = half(price);\ndefineExpose({ price });\n</script>\n<style>.b { color: red }</style>\n';
    const { send, content } = openSource({ ...PARTS, 'src/Till.vue': text });
    expect(await send('<rename:Till.price to=cost>')).toContain('Renamed price in Till to cost: 3 places in 1 module');
    expect(content('src/Till.vue')).toBe(
      text
        .replace('const price', 'const cost')
        .replace('half(price);', 'half(cost);')
        .replace('{ price }', '{ price: cost }'),
    );
    expect(await send('<rename:Till.total to=sum>')).toContain('EditError: total is code of src/Till.vue');
    expect(await send('<rename:Till.cost to=half>')).toMatch(/was not renamed/);
  });

  it('is refused for what its script declares, with an edit of the script and the template', async () => {
    const { send, content } = openSource(PARTS);
    const result = await send('<rename:MyButton.press to=hit>');
    expect(result).toContain('\nTry: <E:MyButton old="press" new="hit" every=true>');
    await send('<E:MyButton old="press" new="hit" every=true>');
    expect(content('src/MyButton.vue')).toBe(PARTS['src/MyButton.vue'].replaceAll('press', 'hit'));
    // This name is a part of another.
    expect(await send('<rename:MyButton.label to=title>')).toContain('\nTry: <Grep:label path=MyButton>');
  });
});

describe('references in components', () => {
  it('are found in their scripts, and templates are named', async () => {
    const { send } = openSource(FILES);
    expect(await send('<references:Box.size>')).toBe(
      'Box.size in box: 1 reference in 1 module\n' +
        'templates may also use it, in 2 components: Card, Plain  <home.Grep:\\bsize\\b path=**/*.{vue,svelte}>\n' +
        'Card\n  7: console.log(Box, box.size);',
    );
  });
});
