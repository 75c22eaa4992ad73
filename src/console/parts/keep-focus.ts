// Moves the keyboard focus to the nearest remaining ancestor when the focused element is removed.
const DELAY_MS = 200;

let kept: Element | null = null;

/** Reports whether the focus may be moved, because no element has it or this file placed it there. */
export const isFocusIdle = (): boolean =>
  document.activeElement === document.body || (kept !== null && document.activeElement === kept);

export function keepFocus(root: HTMLElement): void {
  let around: readonly Element[] = [];
  root.addEventListener("focusin", ({ target }) => {
    if (target !== kept) kept = null;
    around = ancestors(target as Element);
  });
  const observer = new MutationObserver(() => {
    if (!isLost(around)) return;
    setTimeout(() => {
      if (isLost(around)) moveFocus(around);
    }, DELAY_MS);
  });
  observer.observe(root, { childList: true, subtree: true });
}

const isLost = ([focused]: readonly Element[]): boolean =>
  focused !== undefined && !focused.isConnected && document.activeElement === document.body;

function ancestors(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one; one = one.parentElement) found.push(one);
  return found;
}

function moveFocus(around: readonly Element[]): void {
  const target = around.find((element) => element.isConnected);
  if (!(target instanceof HTMLElement) || target === document.body) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  kept = target;
  target.focus({ preventScroll: true });
}
