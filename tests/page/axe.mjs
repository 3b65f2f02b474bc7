// What axe-core says against a state of the page, by the rules of WCAG's levels A and AA.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

// One line for each element and rule.
export async function violations(page) {
  const client = await page.context().newCDPSession(page);
  // The server's rules allow no script but the page's own; this is the debugger's.
  await client.send('Runtime.evaluate', {expression: `window.axe || (() => {${source}})()`});
  await client.detach();
  return page.evaluate(async (values) => {
    const found = await window.axe.run(document, {runOnly: {type: 'tag', values}, resultTypes: ['violations']});
    return found.violations.flatMap(({id, help, nodes}) => nodes.map(
      ({html, failureSummary}) => `${id} (${help}): ${html.slice(0, 200)}: ${failureSummary}`));
  }, tags);
}
