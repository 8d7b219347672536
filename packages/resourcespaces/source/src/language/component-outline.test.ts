import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { componentOutline } from './component-outline.ts';

const CARD = `<template>
  <p v-if="a < b" :title="{ x: 1 }">{{ total }}</p>
  <input><script-like />
</template>

<script lang="ts">
export interface Props { readonly size: number }
</script>

<script setup lang="ts">
import { ref } from 'vue';

/** How many there are. */
const total = ref(0);

function add(by: number): void {
  total.value += by;
}
</script>

<style>p { color: red }</style>
`;

const NOTE = `<script module>
  export const kinds = ['a'];
</script>

<script>
  import Other from './Other.svelte';
  export let title = 'x';
  $: upper = title.toUpperCase();
  const show = () => upper;
</script>

{#if title < 3}
  <Other on:click={() => show()} />
{/if}
<svelte:head><script>not.ours()</script></svelte:head>
`;

describe('a component', () => {
  it('is read by the symbols of all of its scripts, with the lines of the file', async () => {
    const { send } = openSource({ 'src/Card.vue': CARD, 'src/Note.svelte': NOTE });
    expect(await send('<R:Card>')).toBe(`Card -- How many there are (1 interface, 1 constant, 1 function)
11: import  -- lines 11-11
7: interface Props
  7: size: number
not exported:
14: const total = ref(0)  -- How many there are
16: function add(by: number): void`);
    expect(await send('<R:src/Card.vue#add>')).toBe('function add(by: number): void {\n  total.value += by;\n}');
    expect(await send('<R:Note>')).toContain("2: const kinds = ['a']");
    expect(await send('<R:Note>')).toContain('9: const show = ()');
    expect(await send('<R:Note>')).not.toContain('ours');
  });

  it('is edited by symbol, and gets new ones in its script', async () => {
    const { edit, write, content } = openSource({ 'src/Card.vue': CARD });
    expect(await edit('Card.add', 'function add(by: number) {\n  total.value = by;\n}')).toContain(
      'Edited add in Card',
    );
    expect(await write('Card.remove', 'function remove() {}')).toContain('Added remove to Card');
    expect(await edit('Card.add', 'function add( {')).toContain('ParseError');
    expect(content('src/Card.vue')).toBe(
      CARD.replace(
        /function add[^]*?\n}\n/,
        'function add(by: number) {\n  total.value = by;\n}\n\nfunction remove() {}\n',
      ),
    );
  });

  it('has no types, and says so', async () => {
    const { send } = openSource({
      'src/Card.vue': CARD,
      'tsconfig.json': '{"include":["src"]}',
      'src/a.ts': 'export {};\n',
    });
    expect(await send('<diagnostics:>')).toContain('not checked: 1 .vue module');
    expect(await send('<references:Card.add>')).toContain('its name occurs in 1 line of 1 module');
    expect(await send('<rename:Card.total to=sum>')).toContain('whose types are unknown here');
  });

  it('keeps every offset, whatever surrounds its scripts', () => {
    for (const text of [
      '',
      '<script>',
      '<script lang="ts">\nlet a',
      '<b><script>let a;</script>',
      '<script lang="coffee">a = 1</script>',
    ]) {
      const { symbols, body } = componentOutline.outline({ text, path: 'a.vue' });
      for (const { declarations } of symbols)
        for (const { end } of declarations) expect(end).toBeLessThanOrEqual(text.length);
      expect(body!.start).toBeLessThanOrEqual(body!.end);
    }
    const { symbols } = componentOutline.outline({
      text: '<p/>\r\n<script>\r\nlet é = 1;\r\n</script>',
      path: 'a.svelte',
    });
    expect(symbols[0]?.declarations[0]).toMatchObject({ start: 16, end: 26 });
  });
});
