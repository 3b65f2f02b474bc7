// What a page lacks for those who see little, or use no mouse: names of controls, contrast of text, stops of the Tab key.

const kNamed = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'dialog',
  'group', 'list', 'region', 'image', 'img']);

// Controls, pictures and parts of the accessibility tree that have no name.
export async function unnamed(page) {
  const client = await page.context().newCDPSession(page);
  const {nodes} = await client.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lacking = nodes.filter((node) => !node.ignored && kNamed.has(node.role?.value)
    && !(node.name?.value || '').trim() && !isPlainList(node, byId));
  const said = await Promise.all(lacking.map(async (node) => {
    const {node: element} = await client.send('DOM.describeNode', {backendNodeId: node.backendDOMNodeId});
    return `${node.role.value} <${element.localName} ${(element.attributes || []).join(' ')}>`;
  }));
  await client.detach();
  return said;
}

// Lists of text need no name, those of controls do.
function isPlainList(node, byId) {
  if (node.role.value !== 'list') return false;
  const below = (n) => [n, ...(n.childIds || []).flatMap((id) => (byId.has(id) ? below(byId.get(id)) : []))];
  return !below(node).some((n) => n.role?.value === 'button');
}

// Visible text whose contrast with what is behind it is less than WCAG's AA asks for: 4.5, or 3 for
// large letters.
export const faint = (page) => page.evaluate(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const rgba = (color) => {  // any form of colour that the browser knows
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
  const light = (color) => {
    const [r, g, b] = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92
      : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const color = rgba(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color.slice(0, 3) : over(color, behind(element.parentElement));
  };
  const contrast = (element, color) => {
    const below = behind(element);
    const [a, b] = [light(over(rgba(color), below)), light(below)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const openDialog = document.querySelector('dialog[open]');
  const found = [];
  for (const element of (openDialog || document.body).querySelectorAll('*')) {
    const text = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const field = element.matches('input:not([type=checkbox]):not([type=date]), select');
    if ((!text && !field) || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    if (element.matches('option, noscript, script, [aria-disabled=true]')) continue;
    const style = getComputedStyle(element);
    const large = parseFloat(style.fontSize) >= 24
      || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    const colors = [style.color];
    if (element.placeholder) colors.push(getComputedStyle(element, '::placeholder').color);
    for (const color of colors) {
      const ratio = contrast(element, color);
      if (ratio < (large ? 3 : 4.5)) {
        found.push(`${ratio.toFixed(2)} ${element.localName}#${element.id}.${element.className}`);
      }
    }
  }
  return found;
});

// Goes through the page by Tab, from its beginning: the controls that it passed by, and those that do
// not show that they have the focus.
export async function reached(page) {
  await page.evaluate(() => {
    document.activeElement.blur();
    getSelection().removeAllRanges();
    window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((e) => e.checkVisibility() && !e.disabled && !e.closest('[aria-hidden=true]') && e.type !== 'hidden');
    window.stops = new Set();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const unseen = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const here = document.activeElement;
      if (here === document.body || window.stops.has(here)) return null;
      window.stops.add(here);
      const around = here.id === 'q' ? here.closest('.box') : here;
      const {outlineStyle, outlineWidth} = getComputedStyle(around);
      const box = here.getBoundingClientRect();
      const shown = here.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
      return {name: here.outerHTML.slice(0, 80),
        seen: shown && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
          && here.checkVisibility({checkOpacity: true})};
    });
    if (!stop) break;
    if (!stop.seen) unseen.push(stop.name);
  }
  const missed = await page.evaluate(() => {
    document.body.removeAttribute('tabindex');
    return window.controls.filter((e) => !window.stops.has(e)).map((e) => e.outerHTML.slice(0, 80));
  });
  return {missed, unseen};
}
