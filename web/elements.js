// Elements of the page, found and made.
export const $ = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

// A line drawing, as those of index.html.
export function drawing(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS(svg.namespaceURI, 'path'));
  svg.firstChild.setAttribute('d', path);
  return svg;
}
