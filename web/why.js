// Which words and which cells of a picture carried its score. Of what is chosen, what counted little
// lies in shade; at first the picture is clear.
import {$, make} from './elements.js';
import {say} from './words.js';

let whole = false;  // the whole sentence's shade is wanted, on the next picture, too

export function showWhy(explanation) {
  $('why').hidden = !explanation;
  $('cells').replaceChildren();
  if (!explanation) return;
  const {grid, regions} = explanation;
  const choices = explanation.words.filter((w) => w.word).map((word) => choice(
    [word.word, ' ', make('small', {}, `${Math.round(100 * word.share)} %`)], grid && word.regions));
  if (grid) choices.unshift(choice([say('wholeSentence')], regions));
  const press = (pressed) => {
    for (const {button} of choices) button.ariaPressed = String(pressed?.button === button);
    whole = Boolean(pressed && pressed.regions === regions);
    shade(grid, pressed ? pressed.regions : null);
  };
  for (const one of choices) {
    one.button.onclick = () => press(one.button.ariaPressed === 'true' ? null : one);
  }
  $('words').replaceChildren(...choices.map(({button}) => button));
  press(whole && grid ? choices[0] : null);
}

function choice(label, regions) {
  const button = make('button', {type: 'button', className: 'quiet', disabled: !regions}, ...label);
  return {button, regions};
}

function shade(grid, regions) {
  if (!regions) return $('cells').replaceChildren();
  const most = Math.max(...regions);
  $('cells').style.gridTemplate = `repeat(${grid[0]}, 1fr) / repeat(${grid[1]}, 1fr)`;
  $('cells').replaceChildren(...regions.map((share) => {
    const cell = make('i');
    cell.style.setProperty('--dark', 0.75 * (1 - share / most));
    return cell;
  }));
}
