// Stores the current page in the URL hash, so that a reload or a shared link opens the same page.
import { createStore } from "../client/store.ts";

export type Route =
  | { readonly page: "home" }
  | { readonly page: PageName }
  | { readonly page: "thread"; readonly id: string; readonly at: ThreadPlace | null };

export type ThreadPlace =
  | { readonly kind: "turn"; readonly turn: number }
  | { readonly kind: "receipt"; readonly id: string }
  | { readonly kind: "gate" };

export const PAGES = ["inbox", "calendar", "runs", "schedules", "agents", "tools", "webhooks"] as const;
export type PageName = (typeof PAGES)[number];

export function readRoute(hash: string): Route {
  const [, id, place] = /^#\/threads\/(thr_[0-9a-z]{26})(\/.+)?$/.exec(hash) ?? [];
  const at = readPlace(place);
  if (id && at !== undefined) return { page: "thread", id, at };
  const page = PAGES.find((name) => hash === pageHref(name));
  return page ? { page } : { page: "home" };
}

/** Returns null if no place is given, and undefined if the path is not a valid place. */
function readPlace(path: string | undefined): ThreadPlace | null | undefined {
  if (path === undefined) return null;
  if (path === "/gate") return { kind: "gate" };
  const [, turn, receipt] = /^\/(?:turns\/(\d{1,9})|receipts\/([a-z0-9_]{1,64}))$/.exec(path) ?? [];
  if (turn) return { kind: "turn", turn: Number(turn) };
  return receipt ? { kind: "receipt", id: receipt } : undefined;
}

export const pageHref = (page: PageName): string => `#/${page}`;
export const threadHref = (id: string): string => `#/threads/${id}`;
export const turnHref = (id: string, turn: number): string => `${threadHref(id)}/turns/${turn}`;
export const receiptHref = (id: string, receipt: string): string => `${threadHref(id)}/receipts/${receipt}`;
export const gateHref = (id: string): string => `${threadHref(id)}/gate`;
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
