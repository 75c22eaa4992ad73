// Keeps the newest text in view while it grows, until the user scrolls away from it.
import { type RefObject, useLayoutEffect } from "hono/jsx/dom";

const NEAR_BOTTOM_PX = 120;
/** A scroll event this soon after a gesture comes from the user, any other from content that changed its size. */
const GESTURE_MS = 1000;
const GESTURES = ["wheel", "touchmove", "keydown"] as const;

export function useStickToBottom(content: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = content.current;
    const scroller = element?.parentElement;
    if (!element || !scroller) return;
    let isFollowing = true;
    let gestureAt = Number.NEGATIVE_INFINITY;
    const noteGesture = (): void => {
      gestureAt = performance.now();
    };
    /** Detects dragging of the scroll bar, which begins with a press on the scroller itself. */
    const notePress = (event: Event): void => {
      if (event.target === scroller) noteGesture();
    };
    const onScroll = (): void => {
      const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      if (below < NEAR_BOTTOM_PX) isFollowing = true;
      else if (performance.now() - gestureAt < GESTURE_MS) isFollowing = false;
    };
    const follow = (): void => {
      if (!isFollowing) return;
      const gate = element.querySelector<HTMLElement>(".gate");
      // Shows the beginning of a gate that is taller than the view. Its sticky buttons stay visible at the bottom.
      if (gate && gate.offsetHeight > scroller.clientHeight) gate.scrollIntoView({ block: "start" });
      else scroller.scrollTop = scroller.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    observer.observe(scroller);
    const listeners = new AbortController();
    const options = { passive: true, signal: listeners.signal };
    for (const gesture of GESTURES) scroller.addEventListener(gesture, noteGesture, options);
    scroller.addEventListener("pointerdown", notePress, options);
    scroller.addEventListener("scroll", onScroll, options);
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, []);
}
