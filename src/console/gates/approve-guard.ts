// Keeps the second press of a double click or a held key from approving the next gate before anybody has read it.
const READING_MS = 700;

let gateShownAt = Number.NEGATIVE_INFINITY;

export const recordGateShown = (now = performance.now()): void => {
  gateShownAt = now;
};

/** Reports whether the gate was visible long enough to be read. Shortcuts work without looking at the button. */
export const isDeliberate = (now = performance.now()): boolean => now - gateShownAt >= READING_MS;

/** Presses the approve button of the open gate. A draft in the message field is kept. */
export function approveOpenGate(): void {
  if (isDeliberate()) document.querySelector<HTMLButtonElement>("[data-approve]:not(:disabled)")?.click();
}

/** Returns false for the second click of a double click. A click by keyboard has the count 0. */
export const isFirstClick = (event: MouseEvent): boolean => event.detail <= 1;
