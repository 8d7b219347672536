import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStem } from './list-stems.ts';
import { weighQuestion } from './question-words.ts';

/** Returns the known words for a question, the most important first, with the weight of each. */
function weigh(question: string, ...known: readonly string[]): Readonly<Record<string, number>> {
  const stems = new Map(known.map((word) => [toStem(word), word]));
  const vocabulary = { has: (stem: string) => stems.has(stem), words: () => stems.keys() };
  const weights = Array.from(weighQuestion(question, vocabulary)).filter(([stem]) => stems.has(stem));
  return Object.fromEntries(
    weights.toSorted(([, a], [, b]) => b - a).map(([stem, weight]) => [stems.get(stem), weight]),
  );
}

describe('weighQuestion', () => {
  it('gives the words of the question the weight 1 and their synonyms less', () => {
    expect(weigh('erase the photos', 'erase', 'delete', 'photo', 'image')).toEqual({
      erase: 1,
      photo: 1,
      delete: 0.3,
      image: 0.3,
    });
  });

  it('counts synonyms more if no tool has the word itself', () => {
    expect(weigh('erase the photos', 'delete', 'image')).toEqual({ delete: 0.5, image: 0.5 });
  });

  it('adds up what several words of the question mean', () => {
    expect(weigh('erase and discard the photos', 'erase', 'discard', 'delete')).toEqual({
      erase: 1,
      discard: 1,
      delete: 0.6,
    });
  });

  it('counts verbs less that many tools do with something', () => {
    expect(weigh('get the photos', 'get', 'fetch', 'photo')).toEqual({ photo: 1, get: 0.5, fetch: 0.15 });
  });

  it('leaves out words that only ask', () => {
    expect(weigh('could you please do this tool for me', 'do', 'tool', 'please')).toEqual({});
  });

  it.each([
    ['show me the branches', 'show', 'list'],
    ['how many branches are there', 'many', 'count'],
    ['how much is a branch', 'much', 'price'],
    ['how far is the branch', 'far', 'distance'],
    ['who made the branch', 'who', 'author'],
    ['throw away the branch', 'throw', 'delete'],
    ['kick off a branch', 'kick', 'trigger'],
    ['go back to the branch', 'back', 'revert'],
    ['log in to the branch', 'log', 'login'],
    ['the MR of the branch', 'mr', 'merge'],
  ])('takes a phrase for what it means: %s', (question, inside, meaning) => {
    const weights = weigh(question, 'branch', inside, meaning);
    expect(weights).toMatchObject({ branch: 1, [meaning]: 0.5 });
    expect(weights[inside] ?? 0).toBeLessThan(1);
  });

  it('takes no phrase from a value or a name', () => {
    expect(weigh('replace "kick off" in branch', 'kick', 'trigger')).toEqual({ kick: 0.2 });
    expect(weigh('numbers of WHO', 'author')).toEqual({});
  });

  it('does not confuse words with the same beginning', () => {
    expect(weigh('news', 'new')).toEqual({});
    expect(weigh('locate the branch', 'location', 'find')).toEqual({ find: 0.5 });
    expect(weigh('several general imports', 'generate', 'import')).toEqual({ import: 1 });
  });

  it('corrects a letter of a word that no tool has', () => {
    expect(weigh('brnach', 'branch')).toEqual({ branch: 0.8 });
    expect(weigh('crash', 'crash', 'crush')).toEqual({ crash: 1 });
  });

  it('joins two words that tools write as one', () => {
    expect(weigh('web socket', 'websocket')).toEqual({ websocket: 0.5 });
  });

  it.each([
    ['open https://team.test/branches/new', 'team', 'url'],
    ['open www.team.test', 'team', 'url'],
    ['open team.com/today', 'team', 'url'],
    ['write to team@news.test', 'team', 'email'],
    ['cite 2401.01234', 'paper', 'paper'],
    ['cite 10.1234/team.5', 'team', 'paper'],
    ['what is at 47.66, 9.17', 'location', 'location'],
    ['save it to /srv/team/plan', 'team', 'file'],
    ['save it to ./team', 'team', 'file'],
    [String.raw`save it to C:\srv\team`, 'team', 'file'],
    ['save it to team.xlsx', 'team', 'spreadsheet'],
    ['read team.MD', 'team', 'markdown'],
    ['SELECT name FROM team', 'team', 'sql'],
  ])('takes a value for what it is, not for its words: %s', (question, inside, kind) => {
    const weights = weigh(question, inside, kind);
    expect(weights[kind]).toBe(0.4);
    expect(weights[inside]).toBe(inside === kind ? 0.4 : 0.2);
  });

  it('takes what is in quotes for a value, unless there is nothing else', () => {
    expect(weigh('replace "branch" in the text', 'branch', 'text')).toEqual({ text: 1, branch: 0.2 });
    expect(weigh('"create a branch"', 'create', 'branch')).toMatchObject({ create: 1, branch: 1 });
    expect(weigh("the branch's and the team's texts", 'branch', 'team')).toEqual({ branch: 1, team: 1 });
  });

  it('looks up names that no tool knows', () => {
    expect(weigh('facts about Konstanz', 'fact', 'search')).toEqual({ fact: 1, search: 0.2 });
    expect(weigh('Konstanz', 'fact', 'search')).toEqual({});
  });

  it('reads the beginning of a long text', () => {
    expect(weigh(`branch ${'x '.repeat(5000)} team`, 'branch', 'team')).toEqual({ branch: 1 });
  });

  it('weighs the words of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const weights = Array.from(weighQuestion(text, { has: () => false, words: () => ['known'] }).values());
        expect(weights.every((weight) => weight > 0 && weight <= 1)).toBe(true);
      }),
    );
  });
});
