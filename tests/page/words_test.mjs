// The words of the page: every language has all of them, and the page needs each.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

const web = new URL('../../web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, web), 'utf8');
const languages = readdirSync(web).map((name) => name.match(/^words-(\w+)\.js$/)?.[1]).filter(Boolean);
// The files say `export default`, which Node takes for a module only under another name.
const wordsOf = async (language) => (await import(
  `data:text/javascript,${encodeURIComponent(read(`words-${language}.js`))}`)).default;

test('every language has the same words, with the same blanks', async () => {
  const english = await wordsOf('en');
  assert.match(read('words.js'), new RegExp(`\\[${languages.map(() => "'(\\w+)'").join(', ')}\\]`));
  const blanks = (text) => (text.match(/\{\w+\}/g) || []).sort().join();
  for (const language of languages) {
    const words = await wordsOf(language);
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort(), language);
    for (const [key, text] of Object.entries(words)) {
      assert.ok(text.trim(), `${language} ${key}`);
      assert.equal(blanks(text), blanks(english[key]), `${language} ${key}`);
    }
  }
});

test('every word is used, and every use has a word', async () => {
  const english = Object.keys(await wordsOf('en'));
  const code = readdirSync(web).filter((name) => /\.(js|html)$/.test(name) && !name.startsWith('words-'))
    .map(read).join('\n');
  const plurals = [...code.matchAll(/sayCount\('(\w+)'/g)].flatMap((m) => [m[1], `${m[1]}One`]);
  const said = [...code.matchAll(/data-(?:word|title|label|placeholder)="(\w+)"/g),
    ...code.matchAll(/\bsay\('(\w+)'/g)].map((m) => m[1]);
  for (const key of [...said, ...plurals]) assert.ok(english.includes(key), `no word for ${key}`);
  for (const key of english) {
    assert.ok(plurals.includes(key) || said.includes(key) || code.includes(`'${key}'`), `${key} is not used`);
  }
});
