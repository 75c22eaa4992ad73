// The current page, kept in the URL hash so that a reload or a shared link opens the same page.
import { createStore } from "../client/store.ts";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "inbox" | "schedules" | "tools" | "webhooks" }
  | { readonly page: "thread"; readonly id: string };

export function readRoute(hash: string): Route {
  const [, page, id] = /^#\/(inbox|schedules|tools|webhooks|threads\/(thr_[0-9a-z]{26}))$/.exec(hash) ?? [];
  if (id) return { page: "thread", id };
  return page === "inbox" || page === "schedules" || page === "tools" || page === "webhooks"
    ? { page }
    : { page: "home" };
}

export const threadHref = (id: string): string => `#/threads/${id}`;
export const INBOX = "#/inbox";
export const SCHEDULES = "#/schedules";
export const TOOLS = "#/tools";
export const WEBHOOKS = "#/webhooks";
export const HOME = "#/";

export const routeStore = createStore<{ route: Route }>({ route: { page: "home" } });

export function syncRouteWithLocation(): void {
  const read = (): void => routeStore.set({ route: readRoute(location.hash) });
  window.addEventListener("hashchange", read);
  read();
}

export const navigate = (href: string): void => {
  location.hash = href;
};
