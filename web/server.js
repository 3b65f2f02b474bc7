// Requests to the program that served the page, with the user's key where it wants one.

let pictures = new AbortController();  // of the pictures being fetched

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function keyHeader() {
  const key = sessionStorage.getItem('key');
  return key ? {Authorization: `Bearer ${key}`} : {};
}

export async function call(url, options = {}) {
  const answer = await fetch(url, {...options, headers: {...options.headers, ...keyHeader()}});
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, body.error ? body.error.message : '');
}

// Pictures carry no key by themselves: with one they are fetched and shown from memory.
export async function show(image, url) {
  if (!sessionStorage.getItem('key')) {
    image.src = url;
    return;
  }
  const {signal} = pictures;
  try {
    const blob = await (await call(url, {signal})).blob();
    image.src = URL.createObjectURL(blob);
    image.onload = () => URL.revokeObjectURL(image.src);
  } catch {
    // the space stays empty
  }
}

// Those of an answer that is no longer shown.
export function dropPictures() {
  pictures.abort();
  pictures = new AbortController();
}
