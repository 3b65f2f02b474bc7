// Films among the results: a sign on their tiles, and a player in the place of the open picture.
import {make} from './elements.js';

// '0:42', '1:02:03', in every language.
export function clockText(second) {
  const whole = Math.floor(second);
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export const filmSign = (hit) => make('span', {className: 'film', dir: 'ltr', ariaHidden: 'true'},
  `\u25b6\ufe0e ${clockText(hit.second)}`);

// GIF and WebP that move, which browsers show as pictures.
export const isAnimation = (hit) => /\.(gif|webp)#t=[\d.]+$/i.test(hit.image);

// A player of the film from its second on. It takes the place of the pictures in `view` as soon as it
// can play; where the browser knows no such film, `failed` is called and they stay.
export function addPlayer(hit, view, {name, signal, shape, failed}) {
  const player = make('video', {controls: true, playsInline: true, preload: 'auto', hidden: true, ariaLabel: name});
  player.onloadeddata = () => {
    if (signal.aborted) return;
    if (!player.videoWidth) return failed();  // it knows the sound alone
    view.querySelectorAll('img').forEach((image) => image.remove());
    player.hidden = false;
    shape(player.videoWidth / player.videoHeight);
  };
  player.onerror = () => {
    if (signal.aborted) return;
    player.remove();
    failed();
  };
  player.src = `${hit.film}#t=${hit.second}`;
  view.prepend(player);
}

// The network is given back, and nothing plays on unseen.
export function removePlayer(view) {
  const player = view.querySelector('video');
  if (!player) return;
  player.onerror = player.onloadeddata = null;
  player.pause();
  player.removeAttribute('src');
  player.load();
  player.remove();
}
