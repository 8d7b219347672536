import { beforeAll, describe, expect, it } from 'vitest';
import { loadTypeRemover, prepareCode } from './prepare-code.ts';

const LEFT = 'catch(__error){throw __escaped(__error)}';
const PASSED = 'catch(__error){__caught(__error);throw __error}';

beforeAll(loadTypeRemover);

describe('trackErrors', () => {
  it.each([
    ['try { a } catch (e) { b }', 'try { a } catch (e) {__caught(e); b }'],
    ['try { a } catch { b }', 'try { a } catch (__error){__caught(__error); b }'],
    ['try { a } catch ({ b }) { b }', 'try { a } catch (__error) {__caught(__error);let { b } = __error;{ b }}'],
    ['try { a } finally { b }', 'try { a } finally { b }'],
    ['x: try { a } finally { break x }', `x: try { a }${PASSED} finally { break x }`],
    [
      'x: try { a } catch (e) { b } finally { break x }',
      `x: try{try { a } catch (e) {__caught(e); b }}${PASSED} finally { break x }`,
    ],
    ['a.catch(b)', 'a.catch(b)'],
    ['async function f() { a }', `async function f() {;try{ a }${LEFT}}`],
    ['async function f() { "use strict"; a }', `async function f() { "use strict";;try{ a }${LEFT}}`],
    ['f(async (a) => { b })', `f(async (a) => {;try{ b }${LEFT}})`],
    ['f(async a => b)', `f(async a => {try{return (b)}${LEFT}})`],
    ['f(async () => /* => */ ({ a }), b)', `f(async () => /* => */ {try{return (({ a }))}${LEFT}}, b)`],
    ['f(a => a)', 'f(a => a)'],
    ['new Promise(a).b; new Promise; new Own(a)', '__made(new Promise(a)).b; new Promise; new Own(a)'],
    ['new (Promise)(a)', '__made(new (Promise)(a))'],
    ['f(async a => new Promise(a))', `f(async a => {try{return (__made(new Promise(a)))}${LEFT}})`],
    ['f(async ({ a }) => b)', `f(async (...__args)=>{try{var [{ a }]=__args;return (b)}${LEFT}})`],
    ['f(async (a, [b] = c) => { d })', `f(async (...__args)=>{try{var [a, [b] = c]=__args;{ d }}${LEFT}})`],
    ['async function f(a = b) { c }', `async function f(...__args){try{var [a = b]=__args;{ c }}${LEFT}}`],
    ['async function* f(a = b) { c }', `async function* f(a = b) {;try{ c }${LEFT}}`],
    ['async function f(...a) { c }', `async function f(...a) {;try{ c }${LEFT}}`],
  ])('tracks the errors of %s', (code, script) => {
    expect(prepareCode(code).script).toBe(script);
  });

  it('closes functions that end at the same place from the inside', () => {
    const { script } = prepareCode('f(async a => async b => [async c => c, 1])');
    expect(script).toBe(
      `f(async a => {try{return (async b => {try{return ([async c => {try{return (c)}${LEFT}}, 1])}${LEFT}})}${LEFT}})`,
    );
  });

  it('closes an arrow before the function that ends right behind it', () => {
    const { script } = prepareCode('f(async () => {return async a => a})');
    expect(script).toBe(`f(async () => {;try{return async a => {try{return (a)}${LEFT}}}${LEFT}})`);
  });

  it.each([
    'async function f() { var g = 1; function g() {} }',
    'async function f() { function g() {} for (var { a: [g] } of b) c }',
    'async function f() { function g() {} function g() {} }',
  ])('leaves a body alone that would be an error as a block: %s', (code) => {
    expect(prepareCode(code).script).toBe(code);
  });

  it('tracks the errors of a body that has such a name only within a block of its own', () => {
    expect(prepareCode('async function f() { function g() {} { let g = 1 } }').script).toContain(LEFT);
  });

  it('leaves out edits within code that is moved', () => {
    const { script } = prepareCode('try { a } catch ({ b = async () => 1 }) { b }');
    expect(script).toBe('try { a } catch (__error) {__caught(__error);let { b = async () => 1 } = __error;{ b }}');
  });

  it('closes what is in a parameter before the parameters end', () => {
    expect(prepareCode('f(async (a = async () => b) => c)').script).toBe(
      `f(async (...__args)=>{try{var [a = async () => {try{return (b)}${LEFT}}]=__args;return (c)}${LEFT}})`,
    );
  });

  it('uses no name that the code has', () => {
    const { script } = prepareCode('try { __error + __error__ } catch { a }\nasync ({ __args }) => 1');
    expect(script).toContain('catch (__error___){__caught(__error___); a }');
    expect(script).toContain('(...__args_)=>');
    expect(prepareCode(`try {} catch { __error${'_'.repeat(100_000)} }`).script).toContain('_){__caught');
  });

  it('takes time that grows with the code', { tags: ['long'] }, () => {
    const code = 'f(async a => a);\n'.repeat(20_000);
    expect(prepareCode(code).script).toContain('__escaped');
  });
});
