// Keeps the second press of a double click or a held key from approving the next gate, which nobody has read yet.
const READING_MS = 700;

let gateShownAt = Number.NEGATIVE_INFINITY;

export const noteGateShown = (now = performance.now()): void => {
  gateShownAt = now;
};

/**
 * Whether the gate has been visible long enough to be seen. A shortcut checks this, because it works without looking at
 * the button.
 */
export const isDeliberate = (now = performance.now()): boolean => now - gateShownAt >= READING_MS;

/** Presses the approve button of the open gate. A text in the message field is not lost: it stays there. */
export function approveOpenGate(): void {
  if (isDeliberate()) document.querySelector<HTMLButtonElement>("[data-approve]:not(:disabled)")?.click();
}

/** False for the second click of a double click. A click by keyboard has the count 0. */
export const isFirstClick = (event: MouseEvent): boolean => event.detail <= 1;
