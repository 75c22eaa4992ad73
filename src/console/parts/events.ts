// Handlers of DOM events that several components need.
import { useLayoutEffect } from "hono/jsx/dom";

export const inputValue = (event: Event): string => (event.target as HTMLInputElement).value;
export const isChecked = (event: Event): boolean => (event.target as HTMLInputElement).checked;

/** Handles the submission of a form, without loading the page again. */
export const onSubmit =
  (submit: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    submit();
  };

/** Handles Enter in a text area, where Shift+Enter starts a new line. */
export const onEnter =
  (submit: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  };

/** Listens to the keyboard on the whole page, wherever the focus is. */
export function useKeyDown(handle: (event: KeyboardEvent) => void, dependencies: readonly unknown[] = []): void {
  useLayoutEffect(() => {
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, dependencies);
}
