// Which keys an element of the page keeps for itself, while the view listens to keys too.

const controls = "button, summary, select, input, textarea";
const isWritten = (control) => control.matches("textarea, input:not([type=checkbox], [type=range])");

// What a control that was reached by keyboard does with a key.
function uses(control, key) {
  if (control.matches("input[type=range]")) return key.startsWith("Arrow");
  if (control.matches("select") && key !== " ") {
    const begins = ({ text }) => text.toLowerCase().startsWith(key.toLowerCase());
    return key.startsWith("Arrow") || [...control.options].some(begins);
  }
  return key === " ";
}

// A control that was clicked leaves the keys to the view: its focus is only what is left of the click.
export class Keys {
  isPointed = false;  // whether the pointer was used after the last key
  isClicked = false;  // whether the focused element was

  constructor() {
    document.addEventListener("pointerdown", () => { this.isPointed = this.isClicked = true; }, true);
    document.addEventListener("focusin", () => { this.isClicked = this.isPointed; });
    document.addEventListener("keydown", () => { this.isPointed = false; }, true);
  }

  isTaken({ target, key, ctrlKey, altKey, metaKey, defaultPrevented }) {
    if (ctrlKey || altKey || metaKey || defaultPrevented) return true;
    const control = target.closest(controls);
    return control !== null && (isWritten(control) || (!this.isClicked && uses(control, key)));
  }

  // After the view has used a key: the key's end would still press a focused button in some browsers.
  release({ target }) {
    if (this.isClicked) target.closest(controls)?.blur();
  }
}
