// Pictures of the user's: chosen, dropped or pasted.
import {$} from './elements.js';

export function listenForPictures(take) {
  const takeFile = (file) => {
    // Browsers know no type of some pictures' files.
    if (file && (file.type.startsWith('image/') || /\.(heic|heif|hif)$/i.test(file.name))) take(file);
  };
  $('choose').onclick = () => $('file').click();
  $('file').onchange = () => {
    takeFile($('file').files[0]);
    $('file').value = '';
  };
  document.onpaste = (event) => takeFile(event.clipboardData.files[0]);
  const dragging = (on) => document.body.classList.toggle('dragging', on);
  document.ondragover = (event) => {
    event.preventDefault();
    dragging(event.dataTransfer.types.includes('Files'));
  };
  document.ondragleave = (event) => {
    if (!event.relatedTarget) dragging(false);
  };
  document.ondrop = (event) => {
    event.preventDefault();
    dragging(false);
    takeFile(event.dataTransfer.files[0]);
  };
}
