// Keeps the newest text in view while it grows, but only if the person was already near the bottom.
import type { RefObject } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";

const NEAR_BOTTOM_PX = 120;

export function useStickToBottom(content: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = content.current;
    const scroller = element?.parentElement;
    if (!element || !scroller) return;
    let isNearBottom = true;
    const updateNearBottom = (): void => {
      isNearBottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_BOTTOM_PX;
    };
    const follow = (): void => {
      if (!isNearBottom) return;
      const gate = element.querySelector<HTMLElement>(".gate");
      // For a gate taller than the view, show its beginning: its buttons stay visible below it.
      if (gate && gate.offsetHeight > scroller.clientHeight) gate.scrollIntoView({ block: "start" });
      else scroller.scrollTop = scroller.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    observer.observe(scroller);
    scroller.addEventListener("scroll", updateNearBottom, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", updateNearBottom);
    };
  }, []);
}
