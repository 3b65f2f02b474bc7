// Which words and which cells of a picture carried its score: what counted little lies in shade.
import {$, make} from './elements.js';

export function showWhy(explanation) {
  const grid = explanation && explanation.grid;
  $('why').hidden = !explanation;
  $('cells').replaceChildren();
  if (!explanation) return;
  const shade = (regions) => {
    if (!grid) return;
    const most = Math.max(...regions);
    $('cells').style.gridTemplate = `repeat(${grid[0]}, 1fr) / repeat(${grid[1]}, 1fr)`;
    $('cells').replaceChildren(...regions.map((share) => {
      const cell = make('i');
      cell.style.setProperty('--dark', 0.75 * (1 - share / most));
      return cell;
    }));
  };
  const buttons = explanation.words.filter((w) => w.word).map((word) => {
    const button = make('button', {type: 'button', className: 'quiet'}, word.word, ' ',
      make('small', {}, `${Math.round(100 * word.share)} %`));
    button.ariaPressed = 'false';
    button.disabled = !word.regions || !grid;
    button.onclick = () => {
      const on = button.ariaPressed !== 'true';
      for (const other of buttons) other.ariaPressed = 'false';
      button.ariaPressed = String(on);
      shade(on ? word.regions : explanation.regions);
    };
    return button;
  });
  $('words').replaceChildren(...buttons);
  shade(explanation.regions);
}
