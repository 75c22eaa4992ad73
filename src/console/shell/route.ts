// The current page, kept in the URL hash so that a reload or a shared link opens the same page.
import { createStore } from "../client/store.ts";

export type Route =
  | { readonly page: "home" }
  | { readonly page: PageName }
  | { readonly page: "thread"; readonly id: string };

export const PAGES = ["inbox", "runs", "schedules", "agents", "tools", "webhooks"] as const;
export type PageName = (typeof PAGES)[number];

export function readRoute(hash: string): Route {
  const id = /^#\/threads\/(thr_[0-9a-z]{26})$/.exec(hash)?.[1];
  if (id) return { page: "thread", id };
  const page = PAGES.find((name) => hash === pageHref(name));
  return page ? { page } : { page: "home" };
}

export const pageHref = (page: PageName): string => `#/${page}`;
export const threadHref = (id: string): string => `#/threads/${id}`;
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
