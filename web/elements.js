// Elements of the page, found and made.
export const $ = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}
