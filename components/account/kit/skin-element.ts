/** Where popups and dialogs are put: inside the skin, whose colours they take. */
export function skinElement(): HTMLElement {
  return document.querySelector<HTMLElement>('[data-skin]') ?? document.body;
}
